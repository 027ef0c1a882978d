import type { DeliveryId } from '../../../engine/contract/ids.ts';
import type { Log } from '../../../engine/contract/log.ts';
import { isPlanTopic, type Topic } from '../../../engine/contract/topics.ts';
import type { OutboxRow, Tables } from './tables.ts';

/** As RelayOptions of the real one. */
export interface MemoryRelayOptions {
  readonly topics: readonly Topic[];
  readonly outcomesPerBatch: number;
  readonly outcomesDelayMs: number;
}

/** Rows that a relay holds while it publishes them; the others pass them over. */
export interface OutboxLocks {
  has(id: number): boolean;
  add(id: number): unknown;
  delete(id: number): unknown;
}

/**
 * The steps of the transaction of `engine/adapters/postgres/relay.ts`, each of them one statement, so that a
 * simulation can stop between any two: take rows, (the log publishes,) delete them. Rows that were
 * taken by a relay that died must be released by the caller that knows that it died.
 */
export interface OutboxStore {
  /** The oldest unclaimed rows of the topic. */
  take(topic: Topic, limit: number): Promise<OutboxRow[]>;
  /** Names the oldest outcome rows that have no name, where there are enough, or one has waited enough. */
  nameBatch(name: string, options: MemoryRelayOptions): Promise<void>;
  /** The rows of the oldest unclaimed batch. */
  takeBatch(): Promise<OutboxRow[]>;
  /** Deletes rows that are on the log; their deliveries become queued. */
  delete(rows: readonly OutboxRow[]): Promise<void>;
  letGo(rows: readonly OutboxRow[]): void;
}

const ROWS_PER_PUBLISH = 200;

export function createMemoryOutbox(tables: Tables, locks: OutboxLocks): OutboxStore {
  const free = (topic: Topic): OutboxRow[] =>
    tables.outbox.all().filter((row) => row.topic === topic && !locks.has(row.id));
  const lock = (rows: readonly OutboxRow[]): void => {
    for (const { id } of rows) locks.add(id);
  };

  return {
    take: async (topic, limit) => {
      const rows = free(topic).slice(0, limit);
      lock(rows);
      return rows;
    },
    nameBatch: async (name, { outcomesPerBatch, outcomesDelayMs }) => {
      const rows = free('outcomes').filter(({ batchId }) => batchId === null);
      const next = rows.slice(0, outcomesPerBatch);
      const waited = next.some(({ createdAtMs }) => createdAtMs < tables.now() - outcomesDelayMs);
      if (next.length >= outcomesPerBatch || waited)
        for (const row of next) tables.outbox.put(row.id, { ...row, batchId: name });
    },
    takeBatch: async () => {
      const name = free('outcomes').find(({ batchId }) => batchId !== null)?.batchId;
      const rows = tables.outbox.all().filter(({ batchId }) => batchId !== null && batchId === name);
      lock(rows);
      return rows;
    },
    delete: async (rows) => {
      for (const { id, topic, key } of rows) {
        tables.outbox.delete(id);
        if (isPlanTopic(topic)) markQueued(tables, Number(key) as DeliveryId);
      }
    },
    letGo: (rows) => {
      for (const { id } of rows) locks.delete(id);
    },
  };
}

function markQueued(tables: Tables, deliveryId: DeliveryId): void {
  const delivery = tables.deliveries.get(deliveryId);
  if (delivery?.status !== 'pending') return;
  tables.deliveries.put(deliveryId, { ...delivery, status: 'queued', queuedAtMs: tables.now() });
}

/** `createRelayStep` over the outbox in memory. `newName` must give another name every time. */
export function createMemoryRelayStep(
  outbox: OutboxStore,
  log: Pick<Log, 'publish'>,
  options: MemoryRelayOptions,
  newName: () => string,
): () => Promise<number> {
  async function publish(rows: readonly OutboxRow[], send: () => Promise<void>): Promise<number> {
    try {
      if (rows.length > 0) await send();
      if (rows.length > 0) await outbox.delete(rows);
    } finally {
      outbox.letGo(rows);
    }
    return rows.length;
  }

  async function relayPlain(topic: Topic): Promise<number> {
    const rows = await outbox.take(topic, ROWS_PER_PUBLISH);
    const records = rows.flatMap(({ key, value }) => (value === null ? [] : [{ key, value }]));
    return publish(rows, () => log.publish(topic, records));
  }

  async function relayBatch(): Promise<number> {
    await outbox.nameBatch(newName(), options);
    const rows = await outbox.takeBatch();
    const name = rows[0]?.batchId ?? '';
    const blocks = rows.map(({ packed }) => Buffer.from(packed ?? []).toString('base64'));
    const indexes = rows.flatMap(({ welcome }, index) => (welcome ? [index] : []));
    const welcomes = indexes.length === 0 ? {} : { welcomes: indexes };
    return publish(rows, () =>
      log.publish('outcomes', [{ key: name, value: { batch_id: name, blocks, ...welcomes } }]),
    );
  }

  return async function relayStep() {
    let moved = 0;
    for (const topic of options.topics) {
      moved += topic === 'outcomes' ? await relayBatch() : await relayPlain(topic);
    }
    return moved;
  };
}
