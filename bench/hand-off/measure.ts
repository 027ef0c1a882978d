import { KEY_PAIRS } from '../flow/measure.ts';
import { median } from '../median.ts';
import { percentiles } from '../stand/arrival-percentiles.ts';
import type { LogName } from '../stand/broker.ts';
import { type DeliveryAnswer, pause, plainDelivery, untilCompleted } from '../stand/deliver.ts';
import { type Stand, startStand } from '../stand/stand.ts';

export interface HandOffOptions {
  readonly subscribers: readonly number[];
  /** Of the bulk delivery; null: there is none. */
  readonly beside: number | null;
  readonly rounds: number;
  readonly log: LogName;
  readonly kafka: string | null;
}

export type MeasureOptions = Omit<HandOffOptions, 'subscribers' | 'kafka'> & {
  readonly subscribers: number;
  readonly kafkaBrokers: string | null;
  readonly say: (text: string) => void;
};

/** From the POST until readers had their message, in ms; medians of the rounds. */
export interface HandOffRow {
  readonly log: string;
  readonly subscribers: number;
  /** Subscribers of the bulk delivery beside it; 0: it is alone. */
  readonly beside: number;
  readonly rounds: number;
  readonly first_ms: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly last_ms: number;
  /** The last one by the last one of the delivery that is alone. */
  readonly ratio: number;
  /**
   * Bulk messages that went out from the POST until the last breaking one, for each breaking one. Other load of the
   * machine changes it little, where it changes the times much: the engine's share in the ratio is 1 + this.
   */
  readonly bulk_meanwhile: number;
}

type Times = Pick<HandOffRow, 'first_ms' | 'p50_ms' | 'p99_ms' | 'last_ms' | 'bulk_meanwhile'>;

/** So that a bulk delivery fills every slot before the breaking one is created. */
const UNDER_WAY = 0.02;
const IDLE_MS = 1_000;

/**
 * Rounds alternate: alone, then beside a bulk delivery, which is cancelled afterwards.
 * @returns null where a breaking delivery did not reach everyone.
 */
export async function measureHandOff(options: MeasureOptions): Promise<HandOffRow[] | null> {
  const { subscribers, beside, rounds, say } = options;
  say(`breaking news to ${subscribers.toLocaleString('en')}`);
  const stand = await startStand({
    ...{ subscribers: beside ?? 1, verify: 'none', keyPairs: KEY_PAIRS, onStep: say },
    kafkaBrokers: options.kafkaBrokers,
  });
  try {
    const first = beside ?? 1;
    const app = await stand.addApp(subscribers, first);
    const sides = { alone: [] as Times[], beside: [] as Times[] };
    for (let round = 0; round <= rounds; round++) {
      for (const side of beside === null ? (['alone'] as const) : (['alone', 'beside'] as const)) {
        say(`${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}: ${side}`);
        const bulk = side === 'beside' ? await startBulk(stand, first) : null;
        const times = await sendBreaking(stand, app, { first, subscribers });
        if (bulk !== null) await cancel(stand, bulk);
        if (times === null) return null;
        if (round > 0) sides[side].push(times);
        await pause(IDLE_MS);
      }
    }
    return rowsOf(options, sides);
  } finally {
    await stand.close();
  }
}

/** @returns its id, once it is under way. */
async function startBulk(stand: Stand, subscribers: number): Promise<number> {
  await stand.pushService.mark('bulk');
  const path = `/apps/${stand.appIdentifier}/deliveries`;
  const { data } = await stand.client.post<{ data: DeliveryAnswer }>(path, plainDelivery);
  while ((await stand.pushService.ledger()).accepted < subscribers * UNDER_WAY) await pause(50);
  return data.id;
}

async function cancel(stand: Stand, id: number): Promise<void> {
  await stand.client.post(`/apps/${stand.appIdentifier}/deliveries/${id}/cancel`, {});
  await untilCompleted(stand, id, () => {});
}

async function sendBreaking(
  stand: Stand,
  app: string,
  { first, subscribers }: { readonly first: number; readonly subscribers: number },
): Promise<Times | null> {
  await stand.pushService.mark('breaking', first);
  const postedAtMs = Date.now();
  const { data } = await stand.client.post<{ data: DeliveryAnswer }>(`/apps/${app}/deliveries`, {
    ...plainDelivery,
    lane: 'breaking',
  });
  const { success_count: reached } = await untilCompleted(stand, data.id, () => {});
  if (reached !== subscribers) {
    console.error(`${reached} of ${subscribers} were reached`);
    return null;
  }
  const arrivals = await stand.pushService.arrivals();
  const until = percentiles(arrivals, postedAtMs);
  const meanwhile = arrivals.others.slice(0, arrivals.counts.length).reduce((sum, count) => sum + count, 0);
  return {
    ...{ first_ms: until(Number.MIN_VALUE), p50_ms: until(0.5), p99_ms: until(0.99), last_ms: until(1) },
    bulk_meanwhile: meanwhile / subscribers,
  };
}

function rowsOf(
  { log, subscribers, beside, rounds }: MeasureOptions,
  sides: { readonly alone: readonly Times[]; readonly beside: readonly Times[] },
): HandOffRow[] {
  const middle = (times: readonly Times[], name: keyof Times): number =>
    median(times.map((one) => one[name]));
  const rowOf = (times: readonly Times[], size: number): HandOffRow => ({
    ...{ log, subscribers, beside: size, rounds },
    first_ms: middle(times, 'first_ms'),
    p50_ms: middle(times, 'p50_ms'),
    p99_ms: middle(times, 'p99_ms'),
    last_ms: middle(times, 'last_ms'),
    bulk_meanwhile: middle(times, 'bulk_meanwhile'),
    ratio: middle(times, 'last_ms') / middle(sides.alone, 'last_ms'),
  });
  return [rowOf(sides.alone, 0), ...(beside === null ? [] : [rowOf(sides.beside, beside)])];
}
