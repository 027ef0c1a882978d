// tier: unit
import { describe, expect, it } from 'vitest';
import { createStopFlag } from '../../engine/contract/concurrency/stop-flag.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { outcomeCode } from '../../engine/contract/outcome.ts';
import { createRunBlock } from '../../engine/dispatch/run-block.ts';
import { createRunShard } from '../../engine/dispatch/run-shard.ts';
import { createSlots } from '../../engine/dispatch/slots.ts';
import { createPlanDelivery } from '../../engine/plan/plan-delivery.ts';
import type { BlockSent, SendBlock } from '../../engine/worker/protocol.ts';
import { selectedSeqs } from '../../engine/worker/targets.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryBlockStore } from '../support/memory-stores/block-store.ts';
import { createMemoryPlanStore } from '../support/memory-stores/plan-store.ts';
import { createMemoryPublisher } from '../support/memory-stores/publisher.ts';
import { createMemoryReleaseStore } from '../support/memory-stores/release-store.ts';
import { createMemoryShardStore } from '../support/memory-stores/shard-store.ts';
import { createTables } from '../support/memory-stores/tables.ts';

const APP = 1 as AppId;
const BLOCKS = 3;
const LEASE_MS = 1_000;
const MAX_ATTEMPTS = 3;

/** Every function of these objects is a line; the one with this number throws, instead of being called. */
function createLines(throwsAt: number) {
  let ran = 0;
  const lines = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, work]) => [
        name,
        async (...given: unknown[]) => {
          if (ran++ === throwsAt) throw new Error(`${name} throws`);
          return work(...given);
        },
      ]),
    ) as Part;
  return { lines, ran: () => ran };
}

const sentOf = (task: SendBlock, failure?: string): BlockSent => {
  const seqs = selectedSeqs(task.targets, task.wanted);
  const codes = (value: number) => new Uint8Array(seqs.length).fill(value);
  const left = failure === undefined ? 0 : 1;
  const outcomes = codes(outcomeCode.accepted);
  outcomes.fill(outcomeCode.unsent, seqs.length - left);
  return {
    ...{ kind: 'block-sent', seqs, outcomes, failures: codes(0), services: codes(0), reasons: [] },
    ...{
      statuses: new Uint16Array(seqs.length),
      latenciesMs: new Uint16Array(seqs.length),
      retryAfterMs: {},
    },
    ...(failure === undefined ? {} : { failure }),
  };
};

/** One delivery of three blocks with four readers each, planned and released. */
async function world(throwsAt: number, given: { rate?: number; failure?: string } = {}) {
  const clock = createManualClock(0);
  const tables = createTables(clock.now);
  const publisher = createMemoryPublisher(tables);
  for (let block = 0; block < BLOCKS; block++)
    for (let reader = 0; reader < 4; reader++)
      publisher.subscribe(
        APP,
        block * 1_024 + reader,
        `https://push.example/${APP}/${block * 1_024 + reader}/0`,
      );
  const deliveryId = publisher.createDelivery(APP, { ratePerMinute: given.rate ?? null });
  const planDelivery = createPlanDelivery({
    ...{
      store: createMemoryPlanStore(tables),
      release: createMemoryReleaseStore(tables, 4),
      shardBlocks: BLOCKS,
    },
    readReach: async () => new Uint8Array(),
  });
  const { lines, ran } = createLines(throwsAt);
  const store = lines(createMemoryBlockStore(tables));
  const slots = createSlots(2);
  const budgets = { of: async () => [] };
  const asked = new Map<number, number>();
  const failures: string[] = [];
  const retry = { maxAttempts: MAX_ATTEMPTS, baseMs: 1, maxMs: 1 };
  const sender = lines({
    sendBlock: async (task: SendBlock) => {
      const sent = sentOf(task, given.failure);
      for (const [at, seq] of sent.seqs.entries())
        if (sent.outcomes[at] !== outcomeCode.unsent) asked.set(seq, (asked.get(seq) ?? 0) + 1);
      return sent;
    },
  });
  const runShard = createRunShard({
    shards: lines(createMemoryShardStore(tables, 4)),
    blocks: store,
    runBlock: createRunBlock({
      ...{ store, sender, leaseMs: LEASE_MS, nowMs: clock.now, subjectOf: (site) => site, budgets },
      ...{ onWorkerLost: () => {}, noteAnswers: async () => {}, maxAttempts: MAX_ATTEMPTS },
      onBlockFailed: ({ failure }) => failures.push(failure),
    }),
    ...{ slots, budgets, reserveBudget: async () => ({ kind: 'unlimited' }), reserveSendTime: async () => 0 },
    ...{
      owner: 'engine',
      leaseMs: LEASE_MS,
      nowMs: clock.now,
      clock,
      random: () => 0,
      onBlock: () => {},
      retry,
    },
  });
  const run = { draining: () => false, onProgress: () => {}, onPaced: () => {}, stop: createStopFlag() };
  if ((await planDelivery(deliveryId)).kind !== 'planned') throw new Error('the delivery was not planned');
  const [shard] = tables.shards.all();
  if (shard === undefined) throw new Error('there is no shard');
  return { tables, clock, slots, ran, asked, failures, deliveryId, runShard: () => runShard(shard.id, run) };
}

describe.each([
  ['at full speed', {}],
  ['at a pace', { rate: 60_000 }],
])('a line that throws while a shard runs %s', (_, given) => {
  it('gives every slot and the lease’s timer back, whichever line it is', async () => {
    const whole = await world(Number.POSITIVE_INFINITY, given);
    expect((await whole.runShard()).kind).toBe('settled');
    const lines = whole.ran();
    expect(lines).toBeGreaterThan(10);
    let threw = 0;
    for (let at = 0; at < lines; at++) {
      const { runShard, slots, clock } = await world(at, given);
      const before = clock.pending();
      await runShard().catch(() => threw++);
      expect(slots.inUse()).toBe(0);
      expect(clock.pending()).toBe(before);
    }
    expect(threw).toBe(lines);
  });
});

describe('a block of which a line throws in its thread', () => {
  it('keeps what it sent, is tried again, and fails with the reason after its attempts', async () => {
    const played = await world(Number.POSITIVE_INFINITY, {
      failure: 'TypeError: x is no y\n    at send (…)',
    });
    const { tables, clock, runShard, asked, failures, deliveryId } = played;
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      expect((await runShard()).kind).toBe('suspended');
      clock.advance(10);
      const [shard] = tables.shards.all();
      if (shard !== undefined) tables.shards.put(shard.id, { ...shard, state: 'released' });
    }
    expect((await runShard()).kind).toBe('settled');
    // Of four readers of a block the last one was left at each attempt.
    expect([...asked.values()].every((times) => times === 1)).toBe(true);
    expect(failures).toHaveLength(MAX_ATTEMPTS * BLOCKS);
    expect(tables.deliveries.get(deliveryId)).toMatchObject({
      ...{ status: 'partial', total: BLOCKS * 4, accepted: asked.size, failed: BLOCKS * 4 - asked.size },
    });
    expect(tables.deliveries.get(deliveryId)?.errorMessage).toContain(
      `failed after ${MAX_ATTEMPTS} attempts: TypeError: x is no y`,
    );
  });
});
