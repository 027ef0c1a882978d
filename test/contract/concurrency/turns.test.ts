import { describe, expect, it } from 'vitest';
import { createTurns, type Turn, type TurnOptions } from '../../../engine/contract/concurrency/turns.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const usual = { atOnce: 2, perOwner: 2, mostWaiting: 8, mostWaitingPerOwner: 4, waitMs: 10_000 };

function start(changes: Partial<TurnOptions> = {}) {
  const clock = createManualClock();
  const turns = createTurns({ ...usual, clock, ...changes });
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  /** Notes the name when it gets in. */
  const enter = async (owner: string, name = owner, signal = new AbortController().signal): Promise<Turn> => {
    const turn = await turns.enter(owner, signal);
    if (turn.kind === 'in') {
      order.push(name);
      leaves.push(turn.leave);
    }
    return turn;
  };
  /** Releases the permit that was acquired first. */
  const leave = async (): Promise<void> => {
    leaves.shift()?.();
    await settled();
  };
  return { clock, turns, order, enter, leave };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('admit work up to both bounds, and a waiting one when a permit is released', async () => {
    const { turns, order, enter, leave } = start({ atOnce: 3 });
    await enter('ada', 'ada 1');
    await enter('ada', 'ada 2');
    const third = enter('ada', 'ada 3');
    await enter('bob');
    await settled();
    expect(order).toEqual(['ada 1', 'ada 2', 'bob']);
    expect([turns.count(), turns.waiting()]).toEqual([3, 1]);
    await leave();
    expect((await third).kind).toBe('in');
    expect([turns.count(), turns.waiting()]).toEqual([3, 0]);
  });

  it('go to the owners in turn, however many of one wait', async () => {
    const { order, enter, leave } = start({ atOnce: 1 });
    await enter('ada', 'ada 0');
    const all = [1, 2, 3].map((n) => enter('ada', `ada ${n}`));
    all.push(enter('bob', 'bob 1'), enter('eve', 'eve 1'), enter('bob', 'bob 2'));
    for (let n = 0; n < 7; n++) await leave();
    await Promise.all(all);
    expect(order).toEqual(['ada 0', 'ada 1', 'bob 1', 'eve 1', 'ada 2', 'bob 2', 'ada 3']);
  });

  it('skip an owner whose share is in use', async () => {
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

  it('refuse at once beyond the bound of an owner and beyond the total, and say which', async () => {
    const { turns, enter } = start({ atOnce: 3, mostWaiting: 2, mostWaitingPerOwner: 1 });
    await enter('ada');
    await enter('ada');
    void enter('ada');
    expect(await enter('ada')).toMatchObject({ kind: 'refused', by: 'owner' });
    await enter('bob');
    void enter('bob');
    expect(await enter('eve')).toMatchObject({ kind: 'refused', by: 'all' });
    expect(turns.waiting()).toBe(2);
  });

  it('refuse work that waited too long, and leave no timer behind', async () => {
    const { clock, turns, enter } = start();
    await enter('ada');
    await enter('ada');
    const late = [enter('ada'), enter('bob')];
    clock.advance(usual.waitMs - 1);
    expect(turns.waiting()).toBe(2);
    clock.advance(1);
    expect(await Promise.all(late)).toMatchObject([{ by: 'owner' }, { by: 'all' }]);
    expect([turns.count(), turns.waiting(), clock.pending()]).toEqual([2, 0, 0]);
  });

  it('forget work that is aborted while waiting, and work aborted before', async () => {
    const { clock, turns, order, enter, leave } = start({ atOnce: 1 });
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
    expect([turns.count(), turns.waiting(), clock.pending()]).toEqual([1, 0, 0]);
  });

  it('count a permit that is released twice once', async () => {
    const { turns } = start();
    const turn = await turns.enter('ada', new AbortController().signal);
    if (turn.kind !== 'in') throw new Error(turn.kind);
    turn.leave();
    turn.leave();
    expect(turns.count()).toBe(0);
  });

  it('give a Retry-After of the queue’s usual time, at most a minute', async () => {
    const { clock, turns, enter, leave } = start({ atOnce: 1, perOwner: 1, mostWaitingPerOwner: 0 });
    for (let n = 0; n < 60; n++) {
      await enter('ada');
      clock.advance(9_000);
      await leave();
    }
    await enter('ada');
    const refused = await turns.enter('ada', new AbortController().signal);
    expect(refused).toEqual({ kind: 'refused', by: 'owner', retryAfterSeconds: 9 });
    clock.advance(3_600_000);
    await leave();
    await enter('ada');
    expect(await enter('ada')).toMatchObject({ retryAfterSeconds: 60 });
  });
});
