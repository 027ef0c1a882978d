import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A step that was printed, and when, from the call on. */
export interface Lap {
  readonly step: string;
  readonly ms: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Beyond it something is broken. */
const LIMIT_MS = 300_000;
/** Lines that name a step: `Starting Postgres…`, `  importing 100,000 subscribers`; not how far one is, nor a table. */
const isStep = (line: string): boolean =>
  /^\S.*(…|\.)$/.test(line) || /^ {2}(?!imported)[a-z][^|]*$/.test(line) || line.endsWith('books agree.');

/**
 * Runs npm and notes when each step was printed.
 * @param isOver reads each line; where it names a last step, or is true, the process is stopped. Otherwise it ends itself.
 */
export async function timeLines(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isOver: (line: string) => Promise<string | boolean> | boolean,
): Promise<Lap[]> {
  const { PATH = '', HOME = '' } = process.env;
  const beganMs = performance.now();
  const npm = spawn('npm', ['--silent', ...args], {
    cwd: root,
    env: { PATH, HOME, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A signal reaches what npm started as well.
    detached: true,
  });
  const stop = (): void =>
    void (npm.pid !== undefined && npm.exitCode === null && process.kill(-npm.pid, 'SIGTERM'));
  const limit = setTimeout(stop, LIMIT_MS);
  const exited = once(npm, 'exit');
  const laps: Lap[] = [];
  const note = (step: string): void => void laps.push({ step, ms: performance.now() - beganMs });
  try {
    for await (const line of createInterface({ input: npm.stdout })) {
      if (isStep(line)) note(line.trim());
      const end = await isOver(line);
      if (end === false) continue;
      if (typeof end === 'string') note(end);
      break;
    }
    stop();
    const [code, signal] = (await exited) as [number | null, string | null];
    if (code !== 0 && signal !== 'SIGTERM')
      throw new Error(`npm ${args.join(' ')} ended with ${code ?? signal}`);
    return laps;
  } finally {
    clearTimeout(limit);
    stop();
  }
}
