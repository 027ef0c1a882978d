import { deliverChecked, KEY_PAIRS } from '../flow/measure.ts';
import { median, tenths } from '../median.ts';
import { createProgressLines } from '../progress-lines.ts';
import { type Delivered, plainDelivery } from '../stand/deliver.ts';
import { type Stand, startStand } from '../stand/stand.ts';
import { bytesBelow } from './disk.ts';
import { describeByIndex, measureReads, type Read } from './reads.ts';

export interface ScaleRow {
  readonly subscribers: number;
  readonly cpu_us_per_message: number;
  readonly messages_per_second: number;
  /** From the create request until the delivery was complete. */
  readonly seconds: number;
  /** The most the process ever held, the embedded ClickHouse included. */
  readonly rss_peak_mb: number;
  /** From the create request until the plan was committed. */
  readonly plan_ms: number;
  /** That ClickHouse holds of one delivery: one an attempt. */
  readonly clickhouse_rows: number;
  readonly deliveries: number;
  readonly double_cpu_us_per_message: number;
  /** Of the embedded Postgres; null where the machine cannot report it. */
  readonly database_cpu_us_per_message: number | null;
  /** Of both databases, after the last delivery. */
  readonly disk_mb: number;
  readonly reads: readonly Read[];
}

/** An app of its own warms the engine up: a first delivery to a million would take minutes and count for nothing. */
const WARM_UP = 10_000;
/** A small audience is sent to several times, so that about as many messages are measured. */
const MESSAGES = 100_000;
const MAX_DELIVERIES = 5;

/** A fresh Broadside for each size: memory that one delivery took is not counted for another. */
export async function measureScale(
  subscribers: number,
  say: (text: string) => void,
): Promise<ScaleRow | null> {
  say(`${subscribers.toLocaleString('en')} subscribers`);
  const stand = await startStand({
    subscribers,
    verify: 'none',
    kafkaBrokers: null,
    keyPairs: KEY_PAIRS,
    describe: describeByIndex,
    onStep: say,
  });
  try {
    const warmUp = Math.min(WARM_UP, subscribers);
    const other = await stand.addApp(warmUp, subscribers);
    say('warming up');
    if ((await deliverChecked(stand, warmUp, other)) === null) return null;
    const delivered: Delivered[] = [];
    for (let left = Math.min(MAX_DELIVERIES, Math.ceil(MESSAGES / subscribers)); left > 0; left--) {
      const one = await send(stand, subscribers, say);
      if (one === null) return null;
      delivered.push(one);
    }
    say('reading lists, counts and analytics');
    const reads = await measureReads(stand.client, stand.appIdentifier);
    const disk = Math.round((await bytesBelow(stand.dataFolder)) / 1e6);
    return { ...rowOf(subscribers, delivered), disk_mb: disk, reads };
  } finally {
    await stand.close();
  }
}

async function send(
  stand: Stand,
  subscribers: number,
  say: (text: string) => void,
): Promise<Delivered | null> {
  say('sending');
  const show = createProgressLines(say, 'sent', subscribers);
  return deliverChecked(stand, subscribers, stand.appIdentifier, plainDelivery, (progress) =>
    show(progress.accepted + progress.failed),
  );
}

function rowOf(subscribers: number, delivered: readonly Delivered[]): Omit<ScaleRow, 'disk_mb' | 'reads'> {
  const middle = (of: (one: Delivered) => number): number => tenths(median(delivered.map(of)));
  return {
    subscribers,
    cpu_us_per_message: middle((one) => one.cpuUsPerMessage),
    messages_per_second: middle((one) => one.messagesPerSecond),
    seconds: middle((one) => one.seconds),
    rss_peak_mb: tenths(Math.max(...delivered.map((one) => one.rssPeakMb))),
    plan_ms: middle((one) => one.planMs),
    clickhouse_rows: middle((one) => one.rows),
    deliveries: delivered.length,
    double_cpu_us_per_message: middle((one) => one.pushServiceCpuUsPerMessage),
    database_cpu_us_per_message: delivered.some((one) => one.databaseCpuUsPerMessage === null)
      ? null
      : middle((one) => one.databaseCpuUsPerMessage ?? 0),
  };
}
