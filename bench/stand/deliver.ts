import type { Books } from '../demo/books.ts';
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
}

export interface DeliveryProgress {
  readonly total: number;
  readonly accepted: number;
  readonly failed: number;
  readonly status: string;
}

type DeliveryAnswer = Books['delivery'] & { readonly id: number };

const POLL_MS = 250;
const SETTLE_MS = 30_000;
const completed = new Set(['success', 'partial', 'failed', 'cancelled']);

export async function deliver(
  stand: Stand,
  onProgress: (progress: DeliveryProgress) => void,
): Promise<Delivered> {
  await stand.pushService.mark('delivery');
  const before = await readProcessFigures(stand.internalUrl);
  const doubleBefore = await stand.pushService.cpuUs();
  const startedAt = performance.now();
  const { data } = await stand.client.post<{ data: DeliveryAnswer }>(
    `/apps/${stand.appIdentifier}/deliveries`,
    {
      name: 'Demo',
      title: 'Storm warning for the coast',
      body: 'Ferries stop at noon.',
      url: 'https://news.example/storm',
    },
  );
  const delivery = await untilCompleted(stand, data.id, onProgress);
  const seconds = (performance.now() - startedAt) / 1_000;
  const accepted = await untilRecorded(stand, data.id, delivery.success_count);
  const after = await readProcessFigures(stand.internalUrl);
  const doubleAfter = await stand.pushService.cpuUs();
  const ledger = await stand.pushService.ledger();
  const messages = Math.max(1, ledger.received);
  const { status, total_subscribers, success_count, failed_count, capped_subscribers } = delivery;
  const { received, distinct, decrypted, duplicates } = ledger;
  return {
    books: {
      delivery: { status, total_subscribers, success_count, failed_count, capped_subscribers },
      push_service: { received, distinct, decrypted, duplicates },
      clickhouse: { accepted },
    },
    seconds,
    cpuUsPerMessage: (after.cpuUs - before.cpuUs) / messages,
    messagesPerSecond: messages / seconds,
    rssPeakMb: after.rssPeakMb,
    pushServiceCpuUsPerMessage: (doubleAfter - doubleBefore) / messages,
  };
}

async function untilCompleted(
  stand: Stand,
  id: number,
  onProgress: (progress: DeliveryProgress) => void,
): Promise<DeliveryAnswer> {
  for (;;) {
    // Past the client API's limits a poll would be refused; the internal tier is made for watching.
    const delivery = await readInternal<DeliveryAnswer>(stand, `/deliveries/${id}`).catch(awayForNow);
    if (delivery === null) {
      await pause();
      continue;
    }
    const { total_subscribers: total, success_count: accepted, failed_count: failed, status } = delivery;
    onProgress({ total, accepted, failed, status });
    if (completed.has(status)) return delivery;
    await pause();
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/** Broadside may be restarted while one watches: its absence is no end, a wrong answer is. */
function awayForNow(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

/** ClickHouse follows about a second behind; @returns what it counts once it agrees, or at the deadline. */
async function untilRecorded(stand: Stand, id: number, expected: number): Promise<number> {
  const endsAt = performance.now() + SETTLE_MS;
  for (;;) {
    const { accepted } = await readInternal<{ accepted: number }>(stand, `/deliveries/${id}/recorded`);
    if (accepted === expected || performance.now() > endsAt) return accepted;
    await pause();
  }
}

async function readInternal<Answer>(stand: Stand, path: string): Promise<Answer> {
  const response = await fetch(`${stand.internalUrl}${path}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
