// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createFairQueue,
  type FairQueueOptions,
  type Permit,
} from '../../../engine/contract/concurrency/fair-queue.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const usual = { permits: 2, perOwner: 2, waiting: 8, waitingPerOwner: 4, waitMs: 10_000 };

function start(changes: Partial<FairQueueOptions> = {}) {
  const clock = createManualClock();
  const queue = createFairQueue({ ...usual, clock, ...changes });
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  /** Notes the name when it gets in. */
  const enter = async (
    owner: string,
    name = owner,
    signal = new AbortController().signal,
    group = owner,
  ): Promise<Permit> => {
    const permit = await queue.acquire(owner, signal, group);
    if (permit.kind === 'granted') {
      order.push(name);
      leaves.push(permit.release);
    }
    return permit;
  };
  /** Releases the permit that was acquired first. */
  const leave = async (): Promise<void> => {
    leaves.shift()?.();
    await settled();
  };
  return { clock, queue, order, enter, leave };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair queue', () => {
  it('admits work up to both bounds, and a waiting one when a permit is released', async () => {
    const { queue, order, enter, leave } = start({ permits: 3 });
    await enter('ada', 'ada 1');
    await enter('ada', 'ada 2');
    const third = enter('ada', 'ada 3');
    await enter('bob');
    await settled();
    expect(order).toEqual(['ada 1', 'ada 2', 'bob']);
    expect([queue.count(), queue.waiting()]).toEqual([3, 1]);
    await leave();
    expect((await third).kind).toBe('granted');
    expect([queue.count(), queue.waiting()]).toEqual([3, 0]);
  });

  it('gives permits to the owners in turn, however many of one wait', async () => {
    const { order, enter, leave } = start({ permits: 1 });
    await enter('ada', 'ada 0');
    const all = [1, 2, 3].map((n) => enter('ada', `ada ${n}`));
    all.push(enter('bob', 'bob 1'), enter('eve', 'eve 1'), enter('bob', 'bob 2'));
    for (let n = 0; n < 7; n++) await leave();
    await Promise.all(all);
    expect(order).toEqual(['ada 0', 'ada 1', 'bob 1', 'eve 1', 'ada 2', 'bob 2', 'ada 3']);
  });

  it('gives a group its share, and permits in turn to groups however many owners one has', async () => {
    const { queue, order, enter, leave } = start({ permits: 4, perGroup: 3, waiting: 8, waitingPerGroup: 5 });
    const { signal } = new AbortController();
    const ofLarge = (n: number) => enter(`l${n}`, `l${n}`, signal, 'large');
    const waiting = [0, 1, 2, 3, 4, 5, 6, 7].map(ofLarge);
    await settled();
    expect([order, queue.waiting()]).toEqual([['l0', 'l1', 'l2'], 5]);
    // The queue is not full: its part of it is.
    expect(await ofLarge(8)).toMatchObject({ kind: 'refused', by: 'owner' });
    expect(queue.tryAcquire('l9', 'large')).toBe('owner');
    // Others find the fourth permit, and then come before the rest of the large one.
    await enter('s1', 's1', signal, 'small');
    waiting.push(enter('s2', 's2', signal, 'small'), enter('o1', 'o1', signal, 'other'));
    for (let n = 0; n < 9; n++) await leave();
    await Promise.all(waiting);
    expect(order).toEqual(['l0', 'l1', 'l2', 's1', 'o1', 'l3', 's2', 'l4', 'l5', 'l6', 'l7']);
  });

  it('gives the next permit to a group that has none, however many of one that has all came before', async () => {
    for (const permits of [1, 2, 3, 4, 7]) {
      const { order, enter, leave } = start({
        ...{ permits, waiting: 64, waitingPerOwner: 64 },
        perOwner: 9,
      });
      const { signal } = new AbortController();
      const waiting = Array.from({ length: 20 }, (_, n) => enter(`l${n}`, 'large', signal, 'large'));
      await settled();
      waiting.push(enter('s', 'small', signal, 'small'), enter('o', 'other', signal, 'other'));
      await settled();
      // Of few permits the large one has none either, at times: those who have as few are in turn.
      const few = permits === 1 ? ['large', 'small', 'other'] : ['small', 'large', 'other'];
      const turn = permits < 3 ? few : ['small', 'other'];
      for (const _ of turn) await leave();
      expect(order.slice(permits)).toEqual(turn);
      while (order.length < 22) await leave();
      await Promise.all(waiting);
    }
  });

  it('skips an owner whose share is in use', async () => {
    const { order, enter, leave } = start({ perOwner: 1 });
    await enter('bob');
    await enter('ada', 'ada 1');
    const waiting = [enter('ada', 'ada 2'), enter('eve')];
    await leave();
    expect(order).toEqual(['bob', 'ada 1', 'eve']);
    await leave();
    await Promise.all(waiting);
    expect(order.at(-1)).toBe('ada 2');
  });

  it('refuses at once beyond the bound of an owner and beyond the total, and says which', async () => {
    const { queue, enter } = start({ permits: 3, waiting: 2, waitingPerOwner: 1 });
    await enter('ada');
    await enter('ada');
    void enter('ada');
    expect(await enter('ada')).toMatchObject({ kind: 'refused', by: 'owner' });
    await enter('bob');
    void enter('bob');
    expect(await enter('eve')).toMatchObject({ kind: 'refused', by: 'all' });
    expect(queue.waiting()).toBe(2);
  });

  it('refuses work that waited too long, and leaves no timer behind', async () => {
    const { clock, queue, enter } = start();
    await enter('ada');
    await enter('ada');
    const late = [enter('ada'), enter('bob')];
    clock.advance(usual.waitMs - 1);
    expect(queue.waiting()).toBe(2);
    clock.advance(1);
    expect(await Promise.all(late)).toMatchObject([{ by: 'owner' }, { by: 'all' }]);
    expect([queue.count(), queue.waiting(), clock.pending()]).toEqual([2, 0, 0]);
  });

  it('forgets work that is aborted while waiting, and work aborted before', async () => {
    const { clock, queue, order, enter, leave } = start({ permits: 1 });
    await enter('ada', 'ada 1');
    const leaving = new AbortController();
    const gone = enter('ada', 'ada 2', leaving.signal);
    const bob = enter('bob');
    leaving.abort();
    expect(await gone).toEqual({ kind: 'gone' });
    expect(await enter('eve', 'eve', leaving.signal)).toEqual({ kind: 'gone' });
    await leave();
    await bob;
    expect(order).toEqual(['ada 1', 'bob']);
    expect([queue.count(), queue.waiting(), clock.pending()]).toEqual([1, 0, 0]);
  });

  it('counts a permit that is released twice once', async () => {
    const { queue } = start();
    const permit = await queue.acquire('ada', new AbortController().signal);
    if (permit.kind !== 'granted') throw new Error(permit.kind);
    permit.release();
    permit.release();
    expect(queue.count()).toBe(0);
  });

  it('gives a Retry-After of its usual time, at most a minute', async () => {
    const { clock, queue, enter, leave } = start({ permits: 1, perOwner: 1, waitingPerOwner: 0 });
    for (let n = 0; n < 60; n++) {
      await enter('ada');
      clock.advance(9_000);
      await leave();
    }
    await enter('ada');
    const refused = await queue.acquire('ada', new AbortController().signal);
    expect(refused).toEqual({ kind: 'refused', by: 'owner', retryAfterSeconds: 9 });
    clock.advance(3_600_000);
    await leave();
    await enter('ada');
    expect(await enter('ada')).toMatchObject({ retryAfterSeconds: 60 });
  });

  it('gives a permit at once or says which bound was reached, where nothing may wait', () => {
    const queue = createFairQueue({ permits: 3, perOwner: 2 });
    const [first, second] = [queue.tryAcquire('ada'), queue.tryAcquire('ada')];
    expect(queue.tryAcquire('ada')).toBe('owner');
    expect(queue.tryAcquire('bob')).toBeTypeOf('function');
    expect(queue.tryAcquire('eve')).toBe('all');
    if (typeof first !== 'function' || typeof second !== 'function') throw new Error('no permit');
    first();
    first();
    expect(queue.count()).toBe(2);
    expect(queue.tryAcquire('eve')).toBeTypeOf('function');
    expect(queue.tryAcquire('ada')).toBe('all');
  });

  it('keeps its bounds, loses nobody and leaves nothing behind, whatever comes and goes', async () => {
    const owners = fc.constantFrom('ada', 'bob', 'eve');
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('enter' as const), owner: owners }),
        fc.record({ kind: fc.constant('release' as const), at: fc.nat(7) }),
        fc.record({ kind: fc.constant('abort' as const), at: fc.nat(7) }),
        fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(12_000) }),
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        const { clock, queue } = start({ perOwner: 1, mostOfOwner: 4 });
        const held: { readonly owner: string; readonly release: () => void }[] = [];
        const aborts: AbortController[] = [];
        let asked = 0;
        let answered = 0;
        const enter = async (owner: string): Promise<void> => {
          asked++;
          const leaving = new AbortController();
          aborts.push(leaving);
          const permit = await queue.acquire(owner, leaving.signal);
          answered++;
          if (permit.kind === 'granted') held.push({ owner, release: permit.release });
        };
        for (const step of played) {
          if (step.kind === 'enter') void enter(step.owner);
          else if (step.kind === 'release') held.splice(step.at, 1)[0]?.release();
          else if (step.kind === 'abort') aborts[step.at]?.abort();
          else clock.advance(step.ms);
          await settled();
          const own = Map.groupBy(held, ({ owner }) => owner);
          expect(queue.count()).toBe(held.length);
          expect(held.length).toBeLessThanOrEqual(2);
          for (const each of own.values()) expect(each).toHaveLength(1);
          expect(queue.waiting()).toBe(asked - answered);
          // A permit is free only where nobody waits whose share has room.
          if (held.length < 2 && queue.waiting() > 0) expect(own.size).toBe(1);
        }
        for (;;) {
          const next = held.shift();
          if (next === undefined) break;
          next.release();
          await settled();
        }
        expect([answered, queue.count(), queue.waiting(), clock.pending()]).toEqual([asked, 0, 0, 0]);
      }),
      { numRuns: 50 },
    );
  });
});

/** Works that end when the test says so. */
function createWorks() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name);
      ends.set(name, () => resolve(name));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settled();
  };
  return { started, work, end };
}

describe('work in a fair queue', () => {
  it('runs as many as it has permits, the rest in order, and refuses those beyond its bound', async () => {
    const queue = createFairQueue({ permits: 2, waiting: 2 });
    const { started, work, end } = createWorks();
    const runs = ['0', '1', '2', '3'].map((name) => queue.run(work(name)));
    expect(await queue.run(work('4'))).toBe('full');
    expect(started).toEqual(['0', '1']);
    await end('1');
    expect(started).toEqual(['0', '1', '2']);
    for (const name of ['0', '2', '3']) await end(name);
    expect(await Promise.all(runs)).toEqual(['0', '1', '2', '3']);
    expect(started).toEqual(['0', '1', '2', '3']);
  });

  it('bounds the running and waiting works of one owner', async () => {
    const queue = createFairQueue({ permits: 2, waiting: 1, mostOfOwner: 2 });
    const { started, work, end } = createWorks();
    const first = queue.run(work('a1'), 'a');
    const others = [queue.run(work('b1'), 'b'), queue.run(work('a2'), 'a')];
    expect(await queue.run(work('a3'), 'a')).toBe('full');
    expect(await queue.run(work('c1'), 'c')).toBe('full');
    expect(started).toEqual(['a1', 'b1']);
    await end('a1');
    expect(await first).toBe('a1');
    expect(started).toEqual(['a1', 'b1', 'a2']);
    for (const name of ['b1', 'a2']) await end(name);
    expect(await Promise.all(others)).toEqual(['b1', 'a2']);
    expect(await queue.run(async () => 'again', 'a')).toBe('again');
  });

  it('gives the permit on and forgets the owner when a work fails', async () => {
    const queue = createFairQueue({ permits: 1, waiting: 1, mostOfOwner: 1 });
    const broken = () => Promise.reject(new Error('broken'));
    await expect(queue.run(broken, 'a')).rejects.toThrow('broken');
    expect(await queue.run(async () => 'next', 'a')).toBe('next');
  });

  it('refuses what waits when it closes, and resolves when the running works have ended', async () => {
    const queue = createFairQueue({ permits: 1, waiting: 1 });
    const { started, work, end } = createWorks();
    const first = queue.run(work('first'));
    const second = queue.run(work('second'));
    let isClosed = false;
    const closing = queue.close().then(() => {
      isClosed = true;
    });
    expect(await second).toBe('closed');
    await settled();
    expect(isClosed).toBe(false);
    await end('first');
    expect(await first).toBe('first');
    await closing;
    expect(await queue.run(work('late'))).toBe('closed');
    expect(started).toEqual(['first']);
    await queue.close();
  });

  it('closes at once where nothing runs', async () => {
    await createFairQueue({ permits: 1, waiting: 1 }).close();
  });
});
