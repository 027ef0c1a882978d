import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CompiledOptions } from './options.ts';
import type { ReadyLine } from './run.ts';

export interface PushServiceProcess {
  readonly ready: ReadyLine;
  /** Sends the signal and waits until the process is gone; SIGKILL follows when it lingers. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const LINGER_MS = 5_000;

/** @throws Error where the process ends before it is ready; what it said went to standard error. */
export async function spawnPushService(
  options: CompiledOptions,
  temporary: boolean,
): Promise<PushServiceProcess> {
  const args = [MAIN, JSON.stringify(options), ...(temporary ? ['temporary'] : [])];
  // Its standard input stays open as long as this process lives: the double ends with it, however it dies.
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code, signal]) => {
      throw new Error(`push service double: ended (${code ?? signal}) before it was ready`);
    }),
  ]);
  child.on('exit', complain);
  return {
    ready: JSON.parse(line) as ReadyLine,
    end(signal) {
      child.off('exit', complain);
      return end(child, signal);
    },
  };
}

/** Otherwise a test would only see its sender fail, and look for the reason there. */
function complain(code: number | null, signal: NodeJS.Signals | null): void {
  process.stderr.write(`push service double: ended (${code ?? signal}) though nobody asked it to\n`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const impatience = setTimeout(() => child.kill('SIGKILL'), LINGER_MS);
  await gone;
  clearTimeout(impatience);
}
