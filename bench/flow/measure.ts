import type { EncryptionSetting } from '../../engine/worker/encryption/choose.ts';
import { differences } from '../demo/books.ts';
import { median, tenths } from '../median.ts';
import type { ThreadProfile } from '../profile/cpu-profile.ts';
import { type PartCost, splitByPart } from '../profile/parts.ts';
import { createRecorder, type Recorder } from '../profile/recorder.ts';
import { nativeShare, readThreadTimes } from '../profile/thread-times.ts';
import { type Delivered, type DeliveryProgress, deliver } from '../stand/deliver.ts';
import { type Stand, startStand } from '../stand/stand.ts';
import { measureEncryptionAlone } from './encryption-alone.ts';
import type { FlowOptions, Transport } from './options.ts';
import { bodies, describeReader, type TextKind } from './texts.ts';

export interface FlowRow {
  readonly transport: Transport;
  readonly encryption: EncryptionSetting;
  readonly texts: TextKind;
  readonly subscribers: number;
  readonly cpu_us_per_message: number;
  /** Encryption alone, measured between the rounds of the same run. */
  readonly encryption_us_per_message: number;
  readonly messages_per_second: number;
  readonly rss_peak_mb: number;
  readonly push_service_cpu_us_per_message: number;
  /** Of the embedded Postgres; null where the machine cannot report it. */
  readonly database_cpu_us_per_message: number | null;
  /** From the create request until half of the messages, and 99 in 100, were at the push service. */
  readonly hand_off_p50_ms: number;
  readonly hand_off_p99_ms: number;
  /** `cpu_us_per_message` by part; empty without a profile. */
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

/**
 * Rounds alternate between the transports, each with a Broadside of its own, and what the messages say: a minute that is
 * slow is slow for all.
 * @returns a row for each; null where the books of a delivery differ, said on standard error.
 */
export async function measureFlow(subscribers: number, options: MeasureOptions): Promise<FlowRow[] | null> {
  const sides: Side[] = [];
  try {
    for (const transport of options.transports)
      sides.push(...(await startSides(transport, subscribers, options)));
    for (let round = 0; round <= options.rounds; round++) {
      options.say(round === 0 ? 'warming up' : `round ${round} of ${options.rounds}`);
      for (const { stand, texts, delivered, encryption } of sides) {
        encryption.push(measureEncryptionAlone(options));
        const one = await deliverChecked(stand, subscribers, stand.appIdentifier, bodies[texts]);
        if (one === null) return null;
        if (round > 0) delivered.push(one);
      }
    }
    const rows: FlowRow[] = [];
    for (const side of sides) rows.push(await rowOf(side, subscribers, options));
    return rows;
  } finally {
    for (const { stand, recorder } of sides) {
      await stand.close();
      await recorder?.remove();
    }
  }
}

/** One Broadside with one transport and one kind of texts, and what was measured of it. */
interface Side {
  readonly transport: Transport;
  readonly texts: TextKind;
  readonly stand: Stand;
  readonly recorder: Recorder | null;
  readonly delivered: Delivered[];
  readonly encryption: number[];
}

async function startSides(
  transport: Transport,
  subscribers: number,
  options: MeasureOptions,
): Promise<Side[]> {
  const recorder = options.profile ? await createRecorder() : null;
  const stand = await startStand({
    subscribers,
    verify: 'none',
    kafkaBrokers: options.kafkaBrokers,
    latencyMs: options.latencyMs,
    keyPairs: KEY_PAIRS,
    env: { ...settingsOf(options), PUSH_TRANSPORT: transport, ...recorder?.env },
    // Tags widen the rows that everything reads: a run without them measures what it did before.
    ...(options.texts.every((texts) => texts === 'plain') ? {} : { describe: describeReader }),
    onStep: options.say,
  });
  return options.texts.map((texts) => ({ transport, texts, stand, recorder, delivered: [], encryption: [] }));
}

async function rowOf(side: Side, subscribers: number, { say, setting }: MeasureOptions): Promise<FlowRow> {
  const { transport, texts, recorder, delivered, encryption } = side;
  const middle = (of: (one: Delivered) => number): number => tenths(median(delivered.map(of)));
  const cpu = middle((one) => one.cpuUsPerMessage);
  const database = delivered.map((one) => one.databaseCpuUsPerMessage).filter((us) => us !== null);
  if (recorder !== null) say('a delivery under the profiler');
  const profiled = recorder === null ? null : await profileDelivery(side, subscribers, recorder);
  return {
    transport,
    encryption: setting,
    texts,
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
  body: object = bodies.plain,
  onProgress: (progress: DeliveryProgress) => void = () => {},
): Promise<Delivered | null> {
  const one = await deliver(stand, onProgress, appIdentifier, body);
  const problems = differences(one.books, { subscribers, decrypted: 0 });
  for (const problem of problems) console.error(`the books differ: ${problem}`);
  return problems.length > 0 ? null : one;
}

async function profileDelivery({ stand, texts }: Side, subscribers: number, recorder: Recorder) {
  const { pid } = stand.broadside;
  await recorder.start();
  const before = await readThreadTimes(pid);
  await deliverChecked(stand, subscribers, stand.appIdentifier, bodies[texts]);
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
