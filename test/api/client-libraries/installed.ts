import { execFile, spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildClients } from '../../../api/client-libraries/build.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));

export const languages = ['TypeScript', 'Python'] as const;
export type Language = (typeof languages)[number];

/** Python with pip is not on every developer's machine. */
const hasPip = spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' }).status === 0;
if (!hasPip && process.env.REQUIRE_LANGUAGES === '1') throw new Error('python3 -m pip does not answer');
if (!hasPip) console.warn('SKIPPED, the Python client is not run: python3 -m pip does not answer');
export const languagesHere = languages.filter((language) => language !== 'Python' || hasPip);

/** Both clients as their users have them, in a folder outside the repository. */
export interface Installed {
  readonly folder: string;
  /** Runs a program that imports the client. */
  program(
    language: Language,
    text: string,
    variables?: Readonly<Record<string, string>>,
  ): Promise<{ stdout: string }>;
  driver(language: Language): Driver;
  remove(): Promise<void>;
}

/** What a driver plays: settings and options as in TypeScript. */
export interface Played {
  readonly settings: object;
  readonly person?: { readonly email: string; readonly password: string };
  readonly operation: string;
  readonly path: readonly (string | number)[];
  readonly body?: unknown;
  readonly form?: {
    readonly fields: Readonly<Record<string, string>>;
    readonly file: { readonly field: string; readonly base64: string };
  };
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly options?: object;
  readonly read?: 'items' | 'page';
}
export interface Ending {
  readonly value?: unknown;
  readonly error?: {
    readonly name: string;
    readonly status: number | null;
    readonly errors: Readonly<Record<string, readonly string[]>> | null;
    readonly requestId: string | null;
    readonly retryAfterSeconds: number | null;
    readonly message: string;
    /** With its stack and cause, as a log would show it. */
    readonly whole: string;
  };
  readonly retries: readonly { readonly waitMs: number; readonly reason: string }[];
}
export interface Driver {
  play(call: Played): Promise<Ending>;
  abort(): void;
  close(): Promise<void>;
}

export async function installClients(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-clients-'));
  const built = await buildClients(join(folder, 'built'));
  const outside = join(folder, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'package.json'), '{ "type": "module", "private": true }');
  // Settings of the npm that runs the tests must not reach this one.
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', built.typescript], {
    ...{ cwd: outside, env },
  });
  const site = join(outside, 'site');
  if (hasPip)
    await run('python3', ['-m', 'pip', 'install', '--no-index', '--target', site, built.python], { env });
  for (const file of ['driver.mjs', 'driver.py']) await cp(join(here, file), join(outside, file));
  const python = { ...env, PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1' };
  const commandOf = (language: Language): [string, NodeJS.ProcessEnv] =>
    language === 'Python' ? ['python3', python] : [process.execPath, env];

  return {
    folder: outside,
    program: async (language, text, variables = {}) => {
      const file = join(outside, language === 'Python' ? 'program.py' : 'program.ts');
      await writeFile(file, text);
      const [command, own] = commandOf(language);
      return run(command, [file], { cwd: outside, env: { ...own, ...variables } });
    },
    driver: (language) => {
      const [command, own] = commandOf(language);
      const args = language === 'Python' ? ['driver.py'] : ['driver.mjs', '@broadside/client'];
      return startDriver(command, args, outside, own);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function startDriver(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Driver {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    play: async (call) => {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${command} ${args[0]} has ended`);
      return JSON.parse(value) as Ending;
    },
    abort: () => child.stdin.write('abort\n'),
    close: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
