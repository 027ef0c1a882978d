import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const bin = fileURLToPath(new URL('../../api/bin.mjs', import.meta.url));

/**
 * Runs a command of the command line in a process of its own, however long it takes.
 * @returns what it printed. @throws Error with what it said, where it ends with anything but 0.
 */
export async function runBroadside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run(process.execPath, [bin, ...args], { env: { PATH, HOME, ...env } });
  return stdout;
}
