import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import { runCli } from '../../api/cli/main.ts';
import type { CliRun, CliSurroundings } from './run-cli.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in this process, which saves a start of Node for each command. A command reads and prints by
 * the globals of its process: they are replaced while it runs, and so commands run one after another.
 *
 * It proves neither that the process ends by itself nor what a signal does: that needs `runCli` of run-cli.ts.
 */
export function runCliHere(args: readonly string[], surroundings: CliSurroundings): Promise<CliRun> {
  const run = last.then(() => runAlone(args, surroundings));
  last = run.catch(() => {});
  return run;
}

async function runAlone(args: readonly string[], { cwd, env, input }: CliSurroundings): Promise<CliRun> {
  const [stdout, stderr] = [createSink(), createSink()];
  using replaced = new DisposableStack();
  replace(replaced, process, 'stdout', stdout.stream);
  replace(replaced, process, 'stderr', stderr.stream);
  replace(replaced, process, 'stdin', Readable.from(input === undefined ? [] : [Buffer.from(input)]));
  replace(replaced, process, 'env', { PATH: process.env.PATH ?? '', ...env });
  replace(replaced, globalThis, 'console', new Console(stdout.stream, stderr.stream));
  const folder = process.cwd();
  replaced.defer(() => process.chdir(folder));
  process.chdir(cwd);
  const exitCode = process.exitCode;
  replaced.defer(() => {
    process.exitCode = exitCode;
  });
  process.exitCode = 0;
  await runCli([process.execPath, 'broadside', ...args]);
  return { code: Number(process.exitCode), out: stdout.text(), err: stderr.text() };
}

function replace<T extends object>(stack: DisposableStack, holder: T, name: keyof T, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  stack.defer(() => {
    if (before !== undefined) Object.defineProperty(holder, name, before);
  });
  Object.defineProperty(holder, name, { value, configurable: true, enumerable: true, writable: true });
}

function createSink(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
