import { writeFile } from 'node:fs/promises';
import { costsFile, type EncryptionName, encryptionNames } from '../../api/cli/capacity/measured-costs.ts';
import { BLOCK_SIZE } from '../../engine/contract/bitmap.ts';
import { chooseEncryption } from '../../engine/worker/encryption/choose.ts';
import { buildApp } from '../../test/support/builders.ts';
import { type PushServiceDouble, startPushService } from '../../test/support/push-service/start.ts';
import { insertBrowsers } from '../../test/support/real-sender.ts';
import { createSay } from '../command-options.ts';
import { type Servers, startEngines, startServers } from '../crew/crew.ts';
import { type Idle, measureIdle } from '../crew/idle.ts';
import { measureEncryptionAlone } from '../flow/encryption-alone.ts';
import { KEY_PAIRS } from '../flow/measure.ts';
import { median } from '../median.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { readProcessFigures } from '../stand/metrics.ts';
import { costsOf } from './costs-of.ts';
import { type Audience, measureReads, type Sent, send } from './measure.ts';
import { measureRelease } from './release-time.ts';
import { costsReport, forecastRows, isWithin } from './report.ts';
import { readReaderBytes } from './sizes.ts';

export interface CostsOptions {
  /** Of the small app. */
  readonly subscribers: number;
  readonly rounds: number;
  readonly write: boolean;
  readonly cryptoMbLibrary: string | null;
  readonly output: Output;
}

const TIMES_LARGER = 3;
const PER_STATEMENT = 10_000;
const nothing: Idle = { engines: 0, postgres: 0, log: 0, clickhouse: 0 };
/** The one that every machine with our Node has. */
const USED: EncryptionName = 'openssl';

/** @returns the exit code: 1 where the forecast is off by more than a fifth. */
export async function runCosts(options: CostsOptions): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const say = createSay(options.output);
  say('starting Postgres, ClickHouse, Kafka and the push service double');
  const servers = await startServers(opened);
  const pushService = await startPushService({ verify: 'none', keyPairs: KEY_PAIRS });
  opened.defer(() => pushService.stop());
  const apps: Audience[] = [];
  for (const readers of [options.subscribers, options.subscribers * TIMES_LARGER]) {
    say(`${readers.toLocaleString('en')} readers`);
    apps.push(await makeAudience(servers, pushService, readers));
  }
  await servers.database.query('ANALYZE');
  const [few, many] = apps as [Audience, Audience];
  say('starting an engine');
  const engines = await startEngines(opened, servers, 1, {
    PUSH_SERVICE_CA_FILE: pushService.caFile,
    ENCRYPTION_BACKEND: USED,
  });
  say('warming up');
  for (const app of apps) await send(servers, engines, app, nothing);
  say('idle');
  const idle = await measureIdle(servers, engines);
  const [small, large]: [Sent[], Sent[]] = [[], []];
  const encryption: Record<EncryptionName, (number | null)[]> = { multibuffer: [], openssl: [], node: [] };
  for (let round = 1; round <= options.rounds; round++) {
    say(`round ${round} of ${options.rounds}`);
    for (const name of encryptionNames) encryption[name].push(encryptionAlone(name, options.cryptoMbLibrary));
    small.push(await send(servers, engines, few, idle));
    large.push(await send(servers, engines, many, idle));
  }
  say('reading targets alone');
  const read = await measureReads(servers, many, BLOCK_SIZE);
  say('releasing shards');
  const releaseMs = await measureRelease(servers, () => send(servers, engines, many, idle));
  const encryptionUs = Object.fromEntries(
    encryptionNames.map((name) => [name, medianOrNull(encryption[name])]),
  ) as Record<EncryptionName, number | null>;
  const { rssPeakMb: engineMb } = await readProcessFigures(engines[0]?.internalUrl ?? '');
  const readerBytes = await readReaderBytes(servers);
  const parts = { small, large, idle, encryptionUs, used: USED, read, releaseMs, readerBytes, engineMb };
  const costs = costsOf(parts, new Date());
  const rows = forecastRows(costs, encryptionUs[USED] ?? 0, large);
  await showReport(costsReport(costs, rows, many.readers), options.output);
  if (options.write) await writeFile(costsFile, `${JSON.stringify(costs, null, 2)}\n`);
  return isWithin(rows) ? 0 : 1;
}

async function makeAudience(
  { database }: Servers,
  pushService: PushServiceDouble,
  readers: number,
): Promise<Audience> {
  const app = await buildApp(database);
  for (let first = 0; first < readers; first += PER_STATEMENT) {
    const count = Math.min(PER_STATEMENT, readers - first);
    const browsers = Array.from({ length: count }, (_, at) =>
      pushService.subscriber(first + at, app.vapidPublicKey),
    );
    await insertBrowsers(database, app.id, 1, browsers);
  }
  return { id: app.id, readers };
}

/** Null: this machine has not got it. */
function encryptionAlone(name: EncryptionName, cryptoMbLibrary: string | null): number | null {
  const chosen = chooseEncryption({ setting: name, cryptoMbLibrary });
  chosen.close();
  return chosen.name === name ? measureEncryptionAlone({ setting: name, cryptoMbLibrary }) : null;
}

const medianOrNull = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
};
