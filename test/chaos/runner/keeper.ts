import {
  type BroadsideProcess,
  type BroadsideProcessOptions,
  spawnBroadside,
  waitUntilReady,
} from '../../support/broadside-process.ts';
import { isAlive } from './is-alive.ts';

/**
 * One role under the care of something like a container's restart policy: a process that ends while it
 * should run is started again. One that was ready once and ends by itself has broken promise 6, and is
 * noted: a dependency that goes away slows a role, and never ends it.
 */
export interface Keeper {
  readonly name: string;
  /** Every pid that it ever had. */
  readonly pids: readonly number[];
  /** Problems that no fault explains. */
  readonly problems: readonly string[];
  /** Starts it; does not wait until it is ready. */
  start(): void;
  ready(timeoutMs: number): Promise<boolean>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
  /** SIGTERM. @returns the exit code; null: it had to be killed. */
  stop(): Promise<number | null>;
  output(): string;
}

const RESTART_PAUSE_MS = 500;
const READY_TIMEOUT_MS = 150_000;
/** What a problem quotes of the process's own words. */
const LAST_LINES = 6;

export function createKeeper(name: string, options: BroadsideProcessOptions): Keeper {
  const pids: number[] = [];
  const problems: string[] = [];
  let wanted = false;
  let current: BroadsideProcess | null = null;
  let becameReady = Promise.resolve(false);

  const start = (): void => {
    if (wanted) return;
    wanted = true;
    run();
  };

  const run = (): void => {
    const started = spawnBroadside(options.args, options.env);
    current = started;
    pids.push(started.pid);
    let wasReady = false;
    becameReady = waitUntilReady(options.readyUrl, READY_TIMEOUT_MS, started.exited).then((ready) => {
      wasReady = ready;
      return ready;
    });
    void started.exited.then((code) => {
      if (!wanted || current !== started) return;
      if (wasReady) problems.push(`${name} ended by itself (${code}): ${lastLines(started)}`);
      setTimeout(() => {
        if (wanted && current === started) run();
      }, RESTART_PAUSE_MS);
    });
  };

  return {
    name,
    pids,
    problems,
    start,
    ready: async (timeoutMs) => {
      const endsAt = performance.now() + timeoutMs;
      while (performance.now() < endsAt) {
        if (await becameReady) return true;
        await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
      }
      return false;
    },
    signal: (signal) => {
      if (current !== null && isAlive(current.pid)) process.kill(current.pid, signal);
    },
    kill: async () => {
      wanted = false;
      await current?.kill();
    },
    stop: async () => {
      wanted = false;
      return (await current?.stop()) ?? null;
    },
    output: () => current?.output() ?? '',
  };
}

const lastLines = (broadside: BroadsideProcess): string =>
  broadside.output().split('\n').slice(-LAST_LINES).join(' | ');
