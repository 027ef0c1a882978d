import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Session } from 'chdb';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { startBroadside } from '../support/broadside-process.ts';
import { startPushService } from '../support/push-service/start.ts';
import type { CliRun } from '../support/run-cli.ts';
import { runCliHere } from '../support/run-cli-here.ts';

/** What the documents' commands meet: a Broadside as `npm start` makes it, and the files that they name. */
export interface World {
  readonly reportingUrl: string;
  /** Readers in `subscribers.ndjson`. */
  readonly subscribers: number;
  /** What the push service has received. */
  received(): Promise<number>;
  /** Runs one command `broadside …`, in this process. What it exports stays for the next ones. */
  run(command: string): Promise<CliRun>;
  /** The words of a command, for `curl` without its name. */
  wordsOf(command: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

const SUBSCRIBERS = 20;
const ADMIN = ['--email', 'ada@example.com', '--organization', 'Example News'];

export async function startWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-guide-'));
  // The embedded Postgres runs as another user where we are root.
  await chmod(folder, 0o755);
  const pushService = await startPushService({ verify: 'none' });
  const ports = { api: await freePort(), internal: await freePort(), reporting: await freePort() };
  const reportingUrl = `http://127.0.0.1:${ports.reporting}`;
  const settings = {
    DATA_FOLDER: join(folder, 'data'),
    API_PORT: String(ports.api),
    INTERNAL_PORT: String(ports.internal),
    REPORTING_PORT: String(ports.reporting),
    PUSH_SERVICE_CA_FILE: pushService.caFile,
    ALLOW_ANY_PUSH_HOST: 'true',
    WORKER_THREADS: '1',
    LOG_LEVEL: 'warn',
    // The documents make more reports in a minute than people do: the next one would wait for it to end.
    REPORT_RATE_PER_MINUTE: '1000',
  };
  const readyUrl = `http://127.0.0.1:${ports.internal}/health/ready`;
  const broadside = await startBroadside({ args: ['up'], env: settings, readyUrl });
  await writeFiles(folder, (index) => pushService.subscriber(index));
  const variables: Record<string, string> = {
    ...settings,
    BROADSIDE_URL: `http://127.0.0.1:${ports.api}`,
    BROADSIDE_REPORTING_URL: reportingUrl,
    PATH: process.env.PATH ?? '',
  };
  /** Bash splits and expands; what it would then start only shows its words. */
  const wordsOf = async (command: string): Promise<string[]> => {
    const script = `show() { printf '%s\\0' "$@"; }; broadside() { show broadside "$@"; }; curl() { show "$@"; }; ${command}`;
    // Bash takes our pipe for a network connection, and would read its settings.
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euc', script], { env: variables });
    return stdout.split('\0').slice(0, -1);
  };
  const runHere = (args: readonly string[]): Promise<CliRun> =>
    runCliHere(args, { cwd: folder, env: variables });

  async function run(command: string): Promise<CliRun> {
    const [, name, inner = command] = /^export ([A-Z_]+)="\$\((.*)\)"$/s.exec(command) ?? [];
    const [program, ...args] = await wordsOf(inner);
    if (program !== 'broadside') throw new Error(`only commands of broadside run here: ${command}`);
    const ended = await runHere(args);
    if (name !== undefined) variables[name] = ended.out.trim();
    return ended;
  }
  const invited = await runHere(['user', 'invite', ...ADMIN]);
  if (invited.code !== 0) throw new Error(invited.err);
  return {
    reportingUrl,
    subscribers: SUBSCRIBERS,
    received: async () => (await pushService.ledger()).received,
    run,
    wordsOf,
    close: async () => {
      await broadside.stop();
      await pushService.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeFiles(folder: string, subscriberAt: (index: number) => object): Promise<void> {
  const lines = Array.from({ length: SUBSCRIBERS }, (_, index) => `${JSON.stringify(subscriberAt(index))}\n`);
  await writeFile(join(folder, 'subscribers.ndjson'), lines.join(''));
  await writeFile(join(folder, 'eurofxref-hist.csv'), 'Date,USD\n2026-01-02,1.08\n2026-01-01,1.07\n');
  await copyFile(
    new URL('../reporting/cli/files/gam-page-de.xlsx', import.meta.url),
    join(folder, 'report.xlsx'),
  );
  using session = new Session();
  const writeParquet = (name: string, rows: string) =>
    session.queryAsync(`INSERT INTO FUNCTION file('${join(folder, name)}', Parquet) ${rows}`);
  const statistics = "'news.example' AS domain, 1000 AS impressions, 2.5 AS earnings, 'EUR' AS currency";
  await writeParquet(
    'january.parquet',
    `SELECT toString(toDate('2026-01-01') + number) AS day, ${statistics} FROM numbers(31)`,
  );
  await writeParquet('corrected-2026-03-14.parquet', `SELECT '2026-03-14' AS day, ${statistics}`);
}
