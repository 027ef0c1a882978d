// tier: unit
import { describe, expect, it } from 'vitest';
import type { ShardId } from '../../engine/contract/ids.ts';
import { noneLeft } from '../../engine/dispatch/left.ts';
import { nothingLeft } from '../../engine/dispatch/run-block.ts';
import type { RunShard, ShardRun } from '../../engine/dispatch/run-shard.ts';
import {
  createSendingWatch,
  FAILED_IN_A_ROW,
  type SendingObserver,
  STALLED_AFTER_MS,
} from '../../engine/dispatch/sending-watch.ts';
import { createManualClock } from '../support/manual-clock.ts';

const run: ShardRun = {
  draining: () => false,
  stop: new Int32Array(new SharedArrayBuffer(4)),
  onProgress: () => {},
  onPaced: () => {},
};
const shard = 1 as ShardId;
const silent = { blockEnded: () => {}, blockFailed: () => {}, shardFailed: () => {} };

function start() {
  const clock = createManualClock(0);
  let answers = 0;
  const watch = createSendingWatch(clock, () => answers);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let given = run;
  const runShard: RunShard = watch.watch(async (_id, passed) => {
    given = passed;
    await end;
    return { kind: 'stopped' };
  });
  const over = watch.over<SendingObserver>(silent);
  const fail = (): void => over.blockFailed({} as never);
  return { clock, watch, over, fail, runShard, end: resolve, given: () => given, answer: () => answers++ };
}

describe('the watch over sending', () => {
  it('says that sending is well while nothing runs, however long', () => {
    const { clock, watch } = start();
    clock.advance(10 * STALLED_AFTER_MS);
    expect(watch.isWell()).toBe(true);
    expect(watch.stillForMs()).toBe(0);
  });

  it('says that sending is stalled when a shard runs and nothing ends for a minute, and well when it goes on', async () => {
    const { clock, watch, runShard, end, answer } = start();
    clock.advance(10 * STALLED_AFTER_MS);
    const running = runShard(shard, run);
    clock.advance(STALLED_AFTER_MS);
    expect(watch.isWell()).toBe(true);
    clock.advance(1);
    expect(watch.isWell()).toBe(false);
    expect(watch.stillForMs()).toBe(STALLED_AFTER_MS + 1);
    answer();
    expect(watch.isWell()).toBe(true);
    clock.advance(2 * STALLED_AFTER_MS);
    expect(watch.isWell()).toBe(false);
    end();
    await running;
    expect(watch.isWell()).toBe(true);
  });

  it('counts the end of a block as progress, and no shard that waits for its time', () => {
    const { clock, watch, runShard, given } = start();
    void runShard(shard, run);
    clock.advance(STALLED_AFTER_MS);
    given().onProgress();
    clock.advance(STALLED_AFTER_MS);
    expect(watch.isWell()).toBe(true);
    given().onPaced();
    clock.advance(10 * STALLED_AFTER_MS);
    expect(watch.isWell()).toBe(true);
  });

  it('says that sending is not well when blocks throw in a row, until one ends well or a minute has passed', () => {
    const { clock, watch, over, fail } = start();
    const ended = { ...nothingLeft({} as never), sent: {} as never };
    for (let count = 1; count < FAILED_IN_A_ROW; count++) fail();
    over.blockEnded({ ...ended, left: { ...noneLeft, failed: true } }, 1);
    expect(watch.isWell()).toBe(true);
    fail();
    expect(watch.isWell()).toBe(false);
    over.blockEnded(ended, 1);
    expect(watch.isWell()).toBe(true);
    for (let count = 0; count < FAILED_IN_A_ROW; count++) fail();
    expect(watch.isWell()).toBe(false);
    clock.advance(60_000);
    expect(watch.isWell()).toBe(true);
  });

  it('forgets a shard whose run throws', async () => {
    const { clock, watch } = start();
    const failing = watch.watch(async () => {
      throw new Error('a line throws');
    });
    await expect(failing(shard, run)).rejects.toThrow('a line throws');
    clock.advance(10 * STALLED_AFTER_MS);
    expect(watch.isWell()).toBe(true);
  });
});
