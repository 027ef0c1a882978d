import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../api/bin.mjs', import.meta.url));
/** Above what a busy machine takes, below a test's own. */
const TIMEOUT_MS = 150_000;

export interface CliRun {
  /** -1: it was ended, since it took too long. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliSurroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** On its standard input; by default nothing comes there. */
  readonly input?: string;
}

/** Runs the command line in a process of its own, with no environment but what is given. */
export function runCli(args: readonly string[], { cwd, env, input }: CliSurroundings): Promise<CliRun> {
  const options = { cwd, env: { PATH: process.env.PATH ?? '', ...env }, timeout: TIMEOUT_MS };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bin, ...args], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
    );
    if (input !== undefined) child.stdin?.end(input);
  });
}
