import type { EncryptionSetting } from '../../engine/worker/encryption/choose.ts';
import { differences } from '../demo/books.ts';
import { median, tenths } from '../median.ts';
import type { ThreadProfile } from '../profile/cpu-profile.ts';
import { type PartCost, splitByPart } from '../profile/parts.ts';
import { createRecorder, type Recorder } from '../profile/recorder.ts';
import { nativeShare, readThreadTimes } from '../profile/thread-times.ts';
import { type Delivered, deliver } from '../stand/deliver.ts';
import { type Stand, startStand } from '../stand/stand.ts';
import { measureEncryptionAlone } from './encryption-alone.ts';
import type { FlowOptions } from './options.ts';

export interface FlowRow {
  readonly encryption: EncryptionSetting;
  readonly subscribers: number;
  readonly cpu_us_per_message: number;
  /** Encryption alone, measured between the rounds of the same run. */
  readonly encryption_us_per_message: number;
  readonly messages_per_second: number;
  readonly rss_peak_mb: number;
  readonly push_service_cpu_us_per_message: number;
  /** Of the embedded Postgres; null where the machine does not tell. */
  readonly database_cpu_us_per_message: number | null;
  /** From the create request until half of the messages, and 99 in 100, were at the push service. */
  readonly hand_off_p50_ms: number;
  readonly hand_off_p99_ms: number;
  /** `cpu_us_per_message` by what it was used for; empty without a profile. */
  readonly parts: readonly PartCost[];
  /** Of the delivery that was profiled; no part of the JSON line. */
  readonly profiles: readonly ThreadProfile[];
}

export type MeasureOptions = Omit<FlowOptions, 'subscribers' | 'log' | 'output' | 'encryption'> & {
  readonly setting: EncryptionSetting;
  readonly say: (text: string) => void;
};

/** Distinct key pairs among the bench's subscribers: making millions takes longer than sending to them. */
export const KEY_PAIRS = 10_000;

/** @returns null where the books of a delivery differ; said on standard error. */
export async function measureFlow(subscribers: number, options: MeasureOptions): Promise<FlowRow | null> {
  const recorder = options.profile ? await createRecorder() : null;
  const stand = await startStand({
    subscribers,
    verify: 'none',
    kafkaBrokers: options.kafkaBrokers,
    latencyMs: options.latencyMs,
    keyPairs: KEY_PAIRS,
    env: { ...settingsOf(options), ...recorder?.env },
    onStep: options.say,
  });
  try {
    return await measureOn(stand, subscribers, recorder, options);
  } finally {
    await stand.close();
    await recorder?.remove();
  }
}

async function measureOn(
  stand: Stand,
  subscribers: number,
  recorder: Recorder | null,
  { rounds, say, setting, cryptoMbLibrary }: MeasureOptions,
): Promise<FlowRow | null> {
  const delivered: Delivered[] = [];
  const encryption: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    encryption.push(measureEncryptionAlone({ setting, cryptoMbLibrary }));
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    const one = await deliverChecked(stand, subscribers);
    if (one === null) return null;
    if (round > 0) delivered.push(one);
  }
  const middle = (of: (one: Delivered) => number): number => tenths(median(delivered.map(of)));
  const cpu = middle((one) => one.cpuUsPerMessage);
  const database = delivered.map((one) => one.databaseCpuUsPerMessage).filter((us) => us !== null);
  if (recorder !== null) say('a delivery under the profiler');
  const profiled = recorder === null ? null : await profileDelivery(stand, subscribers, recorder);
  return {
    encryption: setting,
    subscribers,
    cpu_us_per_message: cpu,
    encryption_us_per_message: tenths(median(encryption)),
    messages_per_second: middle((one) => one.messagesPerSecond),
    rss_peak_mb: tenths(Math.max(...delivered.map((one) => one.rssPeakMb))),
    push_service_cpu_us_per_message: middle((one) => one.pushServiceCpuUsPerMessage),
    database_cpu_us_per_message: database.length === 0 ? null : tenths(median(database)),
    hand_off_p50_ms: middle((one) => one.handOffP50Ms),
    hand_off_p99_ms: middle((one) => one.handOffP99Ms),
    parts: profiled === null ? [] : splitByPart(profiled.profiles, cpu, profiled.nativeShare),
    profiles: profiled?.profiles ?? [],
  };
}

/** @returns null where its books differ, for then its figures mean nothing. */
export async function deliverChecked(
  stand: Stand,
  subscribers: number,
  appIdentifier = stand.appIdentifier,
): Promise<Delivered | null> {
  const one = await deliver(stand, () => {}, appIdentifier);
  const problems = differences(one.books, { subscribers, decrypted: 0 });
  for (const problem of problems) console.error(`the books differ: ${problem}`);
  return problems.length > 0 ? null : one;
}

async function profileDelivery(stand: Stand, subscribers: number, recorder: Recorder) {
  const { pid } = stand.broadside;
  await recorder.start();
  const before = await readThreadTimes(pid);
  await deliverChecked(stand, subscribers);
  const after = await readThreadTimes(pid);
  const profiles = await recorder.stop();
  return { profiles, nativeShare: nativeShare(pid, before, after) ?? 0 };
}

function settingsOf({ workers, streams, connections, ...options }: MeasureOptions): Record<string, string> {
  const given = {
    ENCRYPTION_BACKEND: options.setting,
    CRYPTO_MB_LIBRARY: options.cryptoMbLibrary,
    WORKER_THREADS: workers,
    STREAMS_PER_CONNECTION: streams,
    CONNECTIONS_PER_ORIGIN: connections,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}
