import { deliverChecked, KEY_PAIRS } from '../flow/measure.ts';
import { median, tenths } from '../median.ts';
import type { Delivered } from '../stand/deliver.ts';
import { startStand } from '../stand/stand.ts';

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
    onStep: say,
  });
  try {
    const warmUp = Math.min(WARM_UP, subscribers);
    const other = await stand.addApp(warmUp, subscribers);
    say('warming up');
    if ((await deliverChecked(stand, warmUp, other)) === null) return null;
    const delivered: Delivered[] = [];
    for (let left = Math.min(MAX_DELIVERIES, Math.ceil(MESSAGES / subscribers)); left > 0; left--) {
      say('sending');
      const one = await deliverChecked(stand, subscribers);
      if (one === null) return null;
      delivered.push(one);
    }
    return rowOf(subscribers, delivered);
  } finally {
    await stand.close();
  }
}

function rowOf(subscribers: number, delivered: readonly Delivered[]): ScaleRow {
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
  };
}
