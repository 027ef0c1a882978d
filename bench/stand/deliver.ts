import type { Books } from '../demo/books.ts';
import { percentiles } from './arrival-percentiles.ts';
import { readDatabaseUs } from './database-time.ts';
import { readProcessFigures } from './metrics.ts';
import type { Stand } from './stand.ts';

/** One delivery over a stand, from the POST until all three books have it. */
export interface Delivered {
  readonly books: Books;
  readonly seconds: number;
  /** All of Broadside's process: API, engine, its threads, and the embedded ClickHouse. */
  readonly cpuUsPerMessage: number;
  readonly messagesPerSecond: number;
  readonly rssPeakMb: number;
  /** The same of the double, whose work is not Broadside's. */
  readonly pushServiceCpuUsPerMessage: number;
  /** The same of the embedded Postgres; null where the machine cannot report it. */
  readonly databaseCpuUsPerMessage: number | null;
  /** From the POST until the plan was committed. */
  readonly planMs: number;
  /** From the POST until half of the messages, and 99 in 100, had arrived at the push service. */
  readonly handOffP50Ms: number;
  readonly handOffP99Ms: number;
  /** Rows that ClickHouse holds of it: one an attempt. */
  readonly rows: number;
}

export interface DeliveryProgress {
  readonly total: number;
  readonly accepted: number;
  readonly failed: number;
  readonly status: string;
}

export type DeliveryAnswer = Books['delivery'] & { readonly id: number };

const POLL_MS = 250;
/** Until it is planned, which takes a fraction of a second. */
const PLAN_POLL_MS = 20;
/** A second or two; a slow or busy machine takes its time. */
const SETTLE_MS = 240_000;
const completed = new Set(['success', 'partial', 'failed', 'cancelled']);
const unplanned = new Set(['pending', 'queued']);

export const plainDelivery = {
  name: 'Demo',
  title: 'Storm warning for the coast',
  body: 'Ferries stop at noon.',
  url: 'https://news.example/storm',
};

export async function deliver(
  stand: Stand,
  onProgress: (progress: DeliveryProgress) => void,
  appIdentifier = stand.appIdentifier,
  body: object = plainDelivery,
): Promise<Delivered> {
  await stand.pushService.mark('delivery');
  const before = await readCosts(stand);
  const postedAtMs = Date.now();
  const startedAt = performance.now();
  const path = `/apps/${appIdentifier}/deliveries`;
  const { data } = await stand.client.post<{ data: DeliveryAnswer }>(path, body);
  const planMs = await untilPlanned(stand, data.id, startedAt);
  const delivery = await untilCompleted(stand, data.id, onProgress);
  const seconds = (performance.now() - startedAt) / 1_000;
  const recorded = await untilRecorded(stand, data.id, delivery.success_count);
  const after = await readCosts(stand);
  const ledger = await stand.pushService.ledger();
  const handOff = percentiles(await stand.pushService.arrivals(), postedAtMs);
  const messages = Math.max(1, ledger.received);
  const { status, total_subscribers, success_count, failed_count, capped_subscribers } = delivery;
  const { received, distinct, decrypted, duplicates } = ledger;
  const perMessage = (name: 'engineUs' | 'doubleUs'): number => (after[name] - before[name]) / messages;
  return {
    books: {
      delivery: { status, total_subscribers, success_count, failed_count, capped_subscribers },
      push_service: { received, distinct, decrypted, duplicates },
      clickhouse: { accepted: recorded.accepted },
    },
    seconds,
    planMs,
    handOffP50Ms: handOff(0.5),
    handOffP99Ms: handOff(0.99),
    rows: Object.values(recorded.attempts).reduce((sum, rows) => sum + rows, 0),
    cpuUsPerMessage: perMessage('engineUs'),
    messagesPerSecond: messages / seconds,
    rssPeakMb: after.rssPeakMb,
    pushServiceCpuUsPerMessage: perMessage('doubleUs'),
    databaseCpuUsPerMessage:
      after.databaseUs === null || before.databaseUs === null
        ? null
        : (after.databaseUs - before.databaseUs) / messages,
  };
}

async function readCosts({ internalUrl, pushService, dataFolder }: Stand) {
  const { cpuUs, rssPeakMb } = await readProcessFigures(internalUrl);
  return {
    engineUs: cpuUs,
    rssPeakMb,
    doubleUs: await pushService.cpuUs(),
    databaseUs: await readDatabaseUs(dataFolder),
  };
}

async function untilPlanned(stand: Stand, id: number, startedAt: number): Promise<number> {
  for (;;) {
    const delivery = await readInternal<DeliveryAnswer>(stand, `/deliveries/${id}`).catch(awayForNow);
    if (delivery !== null && !unplanned.has(delivery.status)) return performance.now() - startedAt;
    await pause(PLAN_POLL_MS);
  }
}

export async function untilCompleted(
  stand: Stand,
  id: number,
  onProgress: (progress: DeliveryProgress) => void,
): Promise<DeliveryAnswer> {
  for (;;) {
    // Past the client API's limits a poll would be refused; the internal tier is made for watching.
    const delivery = await readInternal<DeliveryAnswer>(stand, `/deliveries/${id}`).catch(awayForNow);
    if (delivery !== null) {
      const { total_subscribers: total, success_count: accepted, failed_count: failed, status } = delivery;
      onProgress({ total, accepted, failed, status });
      if (completed.has(status)) return delivery;
    }
    await pause(POLL_MS);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Broadside may be restarted while one watches: its absence is no end, a wrong answer is. */
function awayForNow(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

interface Recorded {
  readonly accepted: number;
  /** By outcome. */
  readonly attempts: Readonly<Record<string, number>>;
}

/** ClickHouse follows about a second behind; @returns its counts once they agree, or at the deadline. */
async function untilRecorded(stand: Stand, id: number, expected: number): Promise<Recorded> {
  const endsAt = performance.now() + SETTLE_MS;
  for (;;) {
    const recorded = await readInternal<Recorded>(stand, `/deliveries/${id}/recorded`);
    if (recorded.accepted === expected || performance.now() > endsAt) return recorded;
    await pause(POLL_MS);
  }
}

async function readInternal<Answer>(stand: Stand, path: string): Promise<Answer> {
  const response = await fetch(`${stand.internalUrl}${path}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
