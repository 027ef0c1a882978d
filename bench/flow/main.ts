import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncryptionSetting } from '../../engine/worker/encryption/choose.ts';
import { differences } from '../demo/books.ts';
import { deliver } from '../stand/deliver.ts';
import { startStand } from '../stand/stand.ts';
import { measureEncryptionAlone } from './encryption-alone.ts';
import { type PartShare, shareByPart } from './profile.ts';

export interface FlowOptions {
  /** One stand a figure: memory and cost are compared between them. */
  readonly subscribers: readonly number[];
  readonly workers: number | null;
  readonly streams: number | null;
  readonly connections: number | null;
  readonly kafkaBrokers: string | null;
  /** Deliveries to each audience; the first warms up and is not counted. */
  readonly rounds: number;
  /** Takes a CPU profile of every thread as well, which makes each message dearer. */
  readonly profile: boolean;
  readonly json: boolean;
  /** `ENCRYPTION_BACKEND`s, each measured at every audience, one after the other in this run. */
  readonly encryption: readonly EncryptionSetting[];
  readonly cryptoMbLibrary: string | null;
}

export interface FlowRow {
  readonly encryption: EncryptionSetting;
  readonly subscribers: number;
  readonly cpu_us_per_message: number;
  /** Encryption alone, measured between the rounds of the same run. */
  readonly encryption_us_per_message: number;
  readonly messages_per_second: number;
  readonly rss_peak_mb: number;
  readonly push_service_cpu_us_per_message: number;
}

/** Distinct key pairs among the bench's subscribers: making millions takes longer than sending to them. */
const KEY_PAIRS = 10_000;

/**
 * The whole engine against the push service double, in a process of its own.
 * @returns the exit code: 1 where the books of a delivery differ, for then the figures mean nothing.
 */
export async function runFlow(options: FlowOptions): Promise<number> {
  const rows: FlowRow[] = [];
  try {
    for (const encryption of options.encryption) {
      for (const subscribers of options.subscribers) {
        const row = await measure(subscribers, encryption, options);
        if (row === null) return 1;
        rows.push(row);
      }
    }
    return 0;
  } finally {
    // What was measured before something failed took minutes.
    if (options.json) for (const row of rows) console.log(JSON.stringify(row));
    else print(rows);
  }
}

async function measure(
  subscribers: number,
  setting: EncryptionSetting,
  options: FlowOptions,
): Promise<FlowRow | null> {
  const { cryptoMbLibrary } = options;
  const profiles = options.profile ? await mkdtemp(join(tmpdir(), 'broadside-profile-')) : null;
  const say = options.json ? () => {} : (text: string) => console.error(`  ${text}`);
  const stand = await startStand({
    subscribers,
    verify: 'none',
    kafkaBrokers: options.kafkaBrokers,
    keyPairs: KEY_PAIRS,
    env: {
      ...settingsOf(options),
      ENCRYPTION_BACKEND: setting,
      ...(cryptoMbLibrary === null ? {} : { CRYPTO_MB_LIBRARY: cryptoMbLibrary }),
      ...(profiles === null ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }),
    },
    onStep: say,
  });
  try {
    const delivered = [];
    const encryption: number[] = [];
    for (let round = 0; round <= options.rounds; round++) {
      encryption.push(measureEncryptionAlone({ setting, cryptoMbLibrary }));
      say(round === 0 ? 'warming up' : `round ${round} of ${options.rounds}`);
      const one = await deliver(stand, () => {});
      const problems = differences(one.books, { subscribers, decrypted: 0 });
      for (const problem of problems) console.error(`the books differ: ${problem}`);
      if (problems.length > 0) return null;
      if (round > 0) delivered.push(one);
    }
    return {
      encryption: setting,
      subscribers,
      cpu_us_per_message: median(delivered.map((one) => one.cpuUsPerMessage)),
      encryption_us_per_message: median(encryption),
      messages_per_second: median(delivered.map((one) => one.messagesPerSecond)),
      rss_peak_mb: Math.max(...delivered.map((one) => one.rssPeakMb)),
      push_service_cpu_us_per_message: median(delivered.map((one) => one.pushServiceCpuUsPerMessage)),
    };
  } finally {
    await stand.close();
    if (profiles !== null) printProfile(await shareByPart(profiles), profiles);
  }
}

function settingsOf({ workers, streams, connections }: FlowOptions): Record<string, string> {
  const given = {
    WORKER_THREADS: workers,
    STREAMS_PER_CONNECTION: streams,
    CONNECTIONS_PER_ORIGIN: connections,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) * 10) / 10;
}

function printProfile(shares: readonly PartShare[], folder: string): void {
  console.log('\n| part of the worker threads | share |\n|---|---:|');
  for (const { part, percent } of shares) console.log(`| ${part} | ${percent} % |`);
  console.log(`\nThe profiles are in ${folder}.\n`);
}

function print(rows: readonly FlowRow[]): void {
  const heads = [
    'encryption',
    'subscribers',
    'CPU µs/message',
    'of it encryption',
    'messages/s',
    'peak MB',
    'double µs/message',
  ];
  console.log(
    `| ${heads.join(' | ')} |\n|---|${heads
      .slice(1)
      .map(() => '---:')
      .join('|')}|`,
  );
  for (const row of rows) {
    const cells = Object.values(row).map((value) =>
      typeof value === 'string' ? value : (Math.round(value * 10) / 10).toLocaleString('en'),
    );
    console.log(`| ${cells.join(' | ')} |`);
  }
  const [first] = rows;
  const last = rows.findLast(({ encryption }) => encryption === first?.encryption);
  if (first === undefined || last === undefined || first === last) return;
  const ratio = (last.rss_peak_mb / first.rss_peak_mb).toFixed(2);
  console.log(
    `\nPeak memory at ${last.subscribers.toLocaleString('en')} is ${ratio} times that at ${first.subscribers.toLocaleString('en')}.`,
  );
}
