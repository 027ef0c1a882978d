import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs TypeScript in a process of its own. @returns what it prints, which is JSON. */
export async function runCode<Answer>(code: string): Promise<Answer> {
  const script = ['--input-type=module-typescript', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: process.cwd() });
  return JSON.parse(stdout) as Answer;
}
