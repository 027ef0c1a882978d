import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const bin = fileURLToPath(new URL('../../api/bin.mjs', import.meta.url));

export interface Took {
  readonly ms: number;
  /** User and system time of the process. */
  readonly cpuMs: number;
}

/** `broadside --help` in a process of its own; the shell around it knows what its child cost. */
export async function timeHelp(): Promise<Took> {
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    '"$0" "$1" --help > /dev/null; times',
    process.execPath,
    bin,
  ]);
  const ms = performance.now() - startedAt;
  // Of the shell in the first line, of its children in the second: `0m0.121s 0m0.034s`.
  const ofChildren = stdout.trim().split('\n')[1] ?? '';
  const parts = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)];
  const cpuMs = parts.reduce(
    (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1_000 * Number(seconds),
    0,
  );
  return { ms, cpuMs };
}
