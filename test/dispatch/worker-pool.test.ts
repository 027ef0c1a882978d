// tier: core
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomes } from '../../engine/contract/outcome.ts';
import { WorkerFailure } from '../../engine/dispatch/errors.ts';
import {
  createWorkerPool,
  type WorkerPool,
  type WorkerPoolOptions,
} from '../../engine/dispatch/worker-pool.ts';
import type { BlockSent, Probe, ThreadStarted, WorkerOptions } from '../../engine/worker/protocol.ts';
import {
  accept,
  type LittlePushService,
  makeRows,
  makeTask,
  makeWorkerOptions,
  type Reply,
  startLittlePushService,
} from '../worker/support.ts';

let service: LittlePushService;
let reply: Reply = accept;
const pools: WorkerPool[] = [];

beforeEach(async () => {
  reply = accept;
  service = await startLittlePushService({ reply: (...given) => reply(...given) });
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close(0);
  await service.close();
});

function start(given: Partial<WorkerPoolOptions> = {}, options: Partial<WorkerOptions> = {}) {
  const lost: string[] = [];
  const started: ThreadStarted[] = [];
  const stuck: number[] = [];
  const pool = createWorkerPool({
    threads: 1,
    tasksPerThread: 2,
    maxQueued: 1,
    maxHeapMb: 64,
    workerOptions: makeWorkerOptions({ extraCa: service.ca, ...options }),
    onThreadLost: (reason) => lost.push(reason),
    onThreadStarted: (thread) => started.push(thread),
    pulseMs: 60,
    onStuckForGood: (threadId) => stuck.push(threadId),
    ...given,
  });
  pools.push(pool);
  return { pool, lost, started, stuck };
}

const outcomesOf = (sent: BlockSent): Set<string | undefined> =>
  new Set([...sent.outcomes].map((code) => outcomes[code]));

/** Waits until the push service has seen a request of a block, so that its thread is at work. */
async function untilSeen(count: number): Promise<void> {
  while (service.received.length < count) await sleep(5);
}

describe('the worker pool', () => {
  it('sends 2,000 messages from real threads over few sockets, all accepted and in order', async () => {
    const { pool } = start({ threads: 2, tasksPerThread: 1 });
    const blocks = await Promise.all(
      [0, 1].map(() => pool.sendBlock(makeTask(makeRows(service.origin, 1_000)))),
    );
    for (const sent of blocks) {
      expect([...sent.seqs]).toEqual(Array.from({ length: 1_000 }, (_, seq) => seq));
      expect(outcomesOf(sent)).toEqual(new Set(['accepted']));
    }
    expect(service.received).toHaveLength(2_000);
    expect(service.sessions.length).toBeLessThanOrEqual(4);
  });

  it('reports each thread’s encryption backend, and sends with it', async () => {
    const wrong = { encryptionBackend: 'multibuffer', cryptoMbLibrary: '/nowhere/libcrypto_mb.so' } as const;
    const { pool, started } = start({ threads: 2 }, wrong);
    const sent = await Promise.all([0, 1].map(() => pool.sendBlock(makeTask(makeRows(service.origin, 20)))));
    expect(sent.map(outcomesOf)).toEqual([new Set(['accepted']), new Set(['accepted'])]);
    expect(started).toHaveLength(2);
    for (const thread of started) {
      expect(thread).toEqual({
        kind: 'thread-started',
        threadId: expect.any(Number),
        beats: expect.any(Int32Array),
        encryption: 'openssl',
        warning: expect.stringMatching(/^messages are encrypted by openssl: multibuffer: .*/),
      });
    }
  });

  it('keeps an idle thread’s event loop turning', async () => {
    const { pool } = start();
    const before = await pool.probe('tick-count');
    await sleep(500); // 25 ticks of 20 ms; an idle thread asleep in Atomics.wait would count none
    const after = await pool.probe('tick-count');
    expect(after.threadId).toBe(before.threadId);
    expect(after.ticks - before.ticks).toBeGreaterThan(5);
  });

  it('keeps its connections from block to block', async () => {
    const { pool } = start();
    for (let block = 0; block < 30; block++) await pool.sendBlock(makeTask(makeRows(service.origin, 4)));
    expect(service.received).toHaveLength(120);
    expect(service.sessions).toHaveLength(1);
  });

  it('moves the targets to the thread instead of copying them, unless they share memory', async () => {
    const { pool } = start();
    const task = makeTask(makeRows(service.origin, 2));
    await pool.sendBlock(task);
    expect(task.targets.buffer.detached).toBe(true);

    const { targets } = makeTask(makeRows(service.origin, 2));
    const pooled = Buffer.from(targets); // small enough for Node's own pool
    expect(pooled.buffer.byteLength).toBeGreaterThan(pooled.byteLength);
    expect(outcomesOf(await pool.sendBlock({ ...task, targets: pooled }))).toEqual(new Set(['accepted']));
    expect(pooled.buffer.detached).toBe(false);
  });

  it('refuses a block beyond its capacity, and takes the next one when another has ended', async () => {
    const held: (() => void)[] = [];
    reply = (...given) => held.push(() => accept(...given));
    const { pool } = start();
    expect([pool.capacity, pool.free()]).toEqual([3, 3]);
    const blocks = [1, 2, 3].map(() => pool.sendBlock(makeTask(makeRows(service.origin, 1))));
    expect(pool.free()).toBe(0);
    await expect(pool.sendBlock(makeTask(makeRows(service.origin, 1)))).rejects.toMatchObject({
      kind: 'pool-full',
    });
    reply = accept;
    await untilSeen(2);
    for (const release of held) release();
    await Promise.all(blocks);
    expect(pool.free()).toBe(3);
    await pool.sendBlock(makeTask(makeRows(service.origin, 1)));
  });

  for (const act of ['exit', 'out-of-memory', 'late-throw', 'spin'] satisfies Probe['act'][]) {
    it(`replaces a thread that dies by ${act}, rejects its blocks with one error, and works on`, async () => {
      reply = () => {};
      const { pool, lost } = start();
      const block = pool.sendBlock(makeTask(makeRows(service.origin, 1)));
      const settled = Promise.allSettled([block]);
      await untilSeen(1);
      const probe = pool.probe(act);
      const [ended] = await settled;
      expect(ended).toMatchObject({ status: 'rejected', reason: { kind: 'worker-lost' } });
      expect((ended as PromiseRejectedResult).reason).toBeInstanceOf(WorkerFailure);
      await probe.catch(() => {}); // a late throw has answered by then
      expect(pool.free()).toBe(pool.capacity);
      reply = accept;
      const sent = await pool.sendBlock(makeTask(makeRows(service.origin, 10)));
      expect(outcomesOf(sent)).toEqual(new Set(['accepted']));
      expect(lost).toHaveLength(1);
    });
  }

  it('survives threads that die while idle, one after the other', async () => {
    const { pool, lost } = start();
    const threadIds = new Set<number>();
    for (let death = 1; death <= 3; death++) {
      threadIds.add((await pool.probe('late-throw')).threadId);
      while (lost.length < death) await sleep(5);
    }
    const sent = await pool.sendBlock(makeTask(makeRows(service.origin, 10)));
    expect(outcomesOf(sent)).toEqual(new Set(['accepted']));
    expect(threadIds.size).toBe(3);
    expect(lost).toEqual(Array(3).fill('a late throw, asked for by a probe'));
  });

  it('ends a thread whose event loop hangs, and reports it', async () => {
    const { pool, lost, stuck } = start();
    await expect(pool.probe('spin')).rejects.toMatchObject({ kind: 'worker-lost' });
    expect(lost).toEqual(['its event loop hung']);
    expect(stuck).toEqual([]);
  });

  it('reports a thread that hangs in native code, where nothing can end it', async () => {
    const { pool, lost, stuck } = start();
    const { threadId } = await pool.probe('tick-count');
    const probe = pool.probe('spin-natively').catch(() => {});
    while (stuck.length === 0 && lost.length === 0) await sleep(20);
    expect(stuck[0]).toBe(threadId);
    expect(lost, 'it still holds what it held').toEqual([]);
    await probe;
  });

  it('leaves a thread alone that works without a pause for longer than that', async () => {
    const { pool, lost, stuck } = start();
    const until = performance.now() + 3_000;
    while (performance.now() < until) await pool.sendBlock(makeTask(makeRows(service.origin, 1_000)));
    expect([lost, stuck]).toEqual([[], []]);
  });

  it('distinguishes a bug in a block from a death: the thread lives on', async () => {
    const { pool, lost } = start();
    const task = makeTask(makeRows(service.origin, 1));
    const broken = pool.sendBlock({ ...task, targets: new Uint8Array(50) });
    await expect(broken).rejects.toMatchObject({ kind: 'block-failed' });
    await expect(broken).rejects.toThrow(/COPY/);
    await pool.sendBlock(task);
    await expect(pool.sendBlock(task), 'its targets are gone').rejects.toMatchObject({
      kind: 'block-failed',
    });
    expect(lost).toEqual([]);
    expect(pool.free()).toBe(pool.capacity);
  });

  it('lets no probe kill a thread outside of tests', async () => {
    const { pool, lost } = start({}, { allowProbes: false });
    await expect(pool.probe('exit')).rejects.toMatchObject({ kind: 'block-failed' });
    await pool.probe('tick-count');
    expect(lost).toEqual([]);
  });

  it('stops a block by its flag, from the main thread, and keeps the thread', async () => {
    const { pool, lost } = start({}, { maxInFlight: 16 });
    const task = makeTask(makeRows(service.origin, 1_000));
    reply = (...given) => {
      if (service.received.length === 100) Atomics.store(task.stop, 0, 1);
      accept(...given);
    };
    const sent = await pool.sendBlock(task);
    const unsent = [...sent.outcomes].filter((code) => code === 0).length;
    expect(unsent).toBeGreaterThan(500);
    expect(service.received).toHaveLength(1_000 - unsent);
    expect(lost).toEqual([]);
  });

  it('closes after the running blocks, and takes no more', async () => {
    const { pool, lost } = start();
    const block = pool.sendBlock(makeTask(makeRows(service.origin, 500)));
    await pool.close(10_000);
    expect(outcomesOf(await block)).toEqual(new Set(['accepted']));
    expect(pool.free()).toBe(0);
    await expect(pool.sendBlock(makeTask([]))).rejects.toMatchObject({ kind: 'pool-closed' });
    await pool.close(0);
    expect(lost).toEqual([]);
  });

  it('cuts blocks off at its deadline', async () => {
    reply = () => {};
    const { pool, lost } = start();
    const block = pool.sendBlock(makeTask(makeRows(service.origin, 1)));
    const ended = expect(block).rejects.toMatchObject({ kind: 'pool-closed' });
    await untilSeen(1);
    await pool.close(50);
    await ended;
    expect(lost).toEqual([]);
  });
});
