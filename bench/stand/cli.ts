import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const bin = fileURLToPath(new URL('../../api/bin.mjs', import.meta.url));

/**
 * Runs a command of the command line in a process of its own, however long it takes.
 * @param input lines for its standard input, made as fast as it reads them.
 * @returns what it printed. @throws Error with what it said, where it ends with anything but 0.
 */
export async function runBroadside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: Iterable<string> | null = null,
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const running = run(process.execPath, [bin, ...args], { env: { PATH, HOME, ...env } });
  const { stdin } = running.child;
  const feeding = stdin === null || input === null ? stdin?.end() : pipeline(Readable.from(input), stdin);
  // A command that ends before it has read everything says why, which the broken pipe does not.
  const [ran, fed] = await Promise.allSettled([running, feeding]);
  if (ran.status === 'rejected') throw ran.reason;
  if (fed.status === 'rejected') throw fed.reason;
  return ran.value.stdout;
}
