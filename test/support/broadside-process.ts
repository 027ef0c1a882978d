import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ownRoot = fileURLToPath(new URL('../..', import.meta.url));
const MAX_OUTPUT_LINES = 400;

/** One `broadside` command running in its own process. */
export interface BroadsideProcess {
  readonly pid: number;
  /** The newest lines of what it printed, both streams. */
  output(): string;
  /** SIGTERM, and the exit code once it has ended by itself; SIGKILL and null past the deadline. */
  stop(deadlineMs?: number): Promise<number | null>;
  /** Ends the process at once, as a power cut would. Resolves when it is gone. */
  kill(): Promise<void>;
  readonly exited: Promise<number | null>;
}

export interface BroadsideProcessOptions {
  /** For example `['up']` or `['engine']`. */
  readonly args: readonly string[];
  /** The whole configuration: nothing else is inherited but PATH and HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves `startBroadside` once this URL answers 200. */
  readonly readyUrl: string;
  readonly startTimeoutMs?: number;
  /** The checkout whose Broadside runs; by default this one. */
  readonly root?: string;
  /** Called with each line of its standard output. */
  readonly onLine?: (line: string) => void;
}

const DEFAULT_START_TIMEOUT_MS = 240_000;
const DEFAULT_STOP_MS = 30_000;

/** @throws Error with the output where the process ends, or is not ready in time. */
export async function startBroadside(options: BroadsideProcessOptions): Promise<BroadsideProcess> {
  const broadside = spawnBroadside(options.args, options.env, options.root, options.onLine);
  const timeoutMs = options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS;
  const ready = await waitUntilReady(options.readyUrl, timeoutMs, broadside.exited);
  if (ready) return broadside;
  await broadside.kill();
  throw new Error(`broadside ${options.args.join(' ')} is not ready:\n${broadside.output()}`);
}

/** Starts the command without waiting for anything. */
export function spawnBroadside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  root = ownRoot,
  onLine?: (line: string) => void,
): BroadsideProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(root, 'api', 'bin.mjs'), ...args], {
    cwd: root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = keepOutput(child);
  if (onLine !== undefined) createInterface({ input: child.stdout }).on('line', onLine);
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    output,
    exited,
    kill,
    stop: async (deadlineMs = DEFAULT_STOP_MS) => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      const code = await exited;
      clearTimeout(late);
      return code;
    },
  };
}

export function keepOutput(child: ChildProcess): () => string {
  const lines: string[] = [];
  const keep = (chunk: Buffer): void => {
    lines.push(...chunk.toString().trimEnd().split('\n'));
    lines.splice(0, Math.max(0, lines.length - MAX_OUTPUT_LINES));
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => lines.join('\n');
}

/** False where the process is gone, or the time is over, before the URL answers 200. */
export async function waitUntilReady(
  url: string,
  timeoutMs: number,
  exited: Promise<number | null>,
): Promise<boolean> {
  const endsAt = performance.now() + timeoutMs;
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  while (!gone && performance.now() < endsAt) {
    const answers = await fetch(url).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (answers) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
