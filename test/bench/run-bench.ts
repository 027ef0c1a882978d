import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const bench = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

export interface BenchRun {
  readonly code: number;
  readonly lines: readonly Record<string, unknown>[];
  readonly errors: string;
}

/** `npm run bench -- … --json`, with every line it prints parsed. @throws where a line is not JSON. */
export async function runBench(...args: readonly string[]): Promise<BenchRun> {
  const run = promisify(execFile)(process.execPath, [bench, ...args, '--json']);
  const ending = await run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const lines = ending.stdout.split('\n').filter((line) => line !== '');
  return { code: ending.code, lines: lines.map((line) => JSON.parse(line)), errors: ending.stderr };
}
