// tier: unit
import { describe, expect, it } from 'vitest';
import { countBits, either, emptyBitmap, hasBit, setBit, without } from '../../engine/contract/bitmap.ts';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import type { BlockMaps, LeasedShard } from '../../engine/contract/shard.ts';
import { noneLeft } from '../../engine/dispatch/left.ts';
import { nothingLeft, type RunBlock } from '../../engine/dispatch/run-block.ts';
import { createRunPacedBlock } from '../../engine/dispatch/run-paced-block.ts';
import { createSlots } from '../../engine/dispatch/slots.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

const MINUTE_MS = 60_000;
const MADE_UP_MS = 250;
/** Blocks that wait or are sent at a time, over all engines: two engines with a shard each. */
const AT_ONCE = 4;

interface World {
  readonly seed: number;
  readonly ratePerMinute: number;
  readonly minutes: number;
  /** Of 1: how many targets are throttled at each attempt, and tried again. */
  readonly throttled: number;
  readonly latencyMs: () => number;
  /** Postgres does not answer in this time. */
  readonly outage?: { readonly fromMs: number; readonly toMs: number };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const turns = async (): Promise<void> => {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
};
const sleep = (clock: ManualClock, ms: number) =>
  new Promise<void>((resolve) => void clock.setTimer(ms, resolve));

/** Runs a paced delivery over a manual clock. @returns when each target was handed to a push service, from 0. */
async function simulate(world: World): Promise<number[]> {
  const clock = createManualClock(0);
  const random = seeded(world.seed);
  const sent: number[] = [];
  const endsAt = world.minutes * MINUTE_MS;
  let nextAt = 0;

  /** What `pace-store.ts` says in SQL. */
  const reserveSendTime = async (_: DeliveryId, targets: number): Promise<number> => {
    const { outage } = world;
    const now = clock.now();
    if (outage !== undefined && now >= outage.fromMs && now < outage.toMs)
      await sleep(clock, outage.toMs - now);
    const startsAt = Math.max(nextAt, clock.now() - MADE_UP_MS);
    nextAt = startsAt + (targets * MINUTE_MS) / world.ratePerMinute;
    return startsAt - clock.now();
  };
  const runBlock: RunBlock = async (_shard, _block, before, _stop, { among } = {}) => {
    const maps = before as BlockMaps;
    const settled = Uint8Array.from(maps.settled);
    const step = without(among ?? emptyBitmap(), settled);
    for (let index = 0; index < 1_024; index++) {
      if ((((step[index >> 3] ?? 0) >> (index & 7)) & 1) === 0) continue;
      sent.push(clock.now());
      if (random() >= world.throttled) setBit(settled, index);
    }
    await sleep(clock, world.latencyMs());
    return { ...nothingLeft({ ...maps, settled: either(maps.settled, settled) }) };
  };
  const runPacedBlock = createRunPacedBlock({
    store: {} as never,
    runBlock,
    reserveSendTime,
    slots: createSlots(AT_ONCE),
    clock,
  });
  const shard = { deliveryId: 1, lane: 'bulk', ratePerMinute: world.ratePerMinute } as LeasedShard & {
    ratePerMinute: number;
  };
  const run = {
    stop: new Int32Array(new SharedArrayBuffer(4)),
    goOn: () => clock.now() < endsAt,
    onStep: () => {},
  };
  const newBlock = (block: number): BlockMaps => {
    const [audience, accepted, settled] = [emptyBitmap().fill(255), emptyBitmap(), emptyBitmap()];
    return { block, audience, accepted, settled };
  };
  let block = 0;
  const engine = async (): Promise<void> => {
    while (run.goOn()) {
      let maps = newBlock(block++);
      while (run.goOn() && countBits(maps.settled) < 1_024) {
        const ending = await runPacedBlock(shard, maps.block, maps, run);
        if (ending.kind !== 'ended') throw new Error(ending.kind);
        maps = ending.maps;
      }
    }
  };
  let ended = false;
  const all = Promise.all(Array.from({ length: AT_ONCE }, engine)).then(() => {
    ended = true;
  });
  while (!ended) {
    await turns();
    clock.advanceToNext();
  }
  await all;
  return sent;
}

/** The least and the most that any full minute holds; minutes begin at every half second. */
function minutesOf(sent: readonly number[], fromMs: number, toMs: number): { least: number; most: number } {
  const counts: number[] = [];
  for (let start = fromMs; start + MINUTE_MS <= toMs; start += 500) {
    counts.push(sent.filter((at) => at >= start && at < start + MINUTE_MS).length);
  }
  return { least: Math.min(...counts), most: Math.max(...counts) };
}

describe('the rate of a paced delivery', () => {
  const rates = [600, 1_000, 6_000, 12_000, 60_000];

  it.each(rates)(
    'of %i a minute holds within two per cent over any minute, retries included',
    async (ratePerMinute) => {
      const random = seeded(ratePerMinute);
      const world = {
        seed: 7,
        ratePerMinute,
        minutes: 3,
        throttled: 0.2,
        latencyMs: () => 5 + random() * 300,
      };
      const { least, most } = minutesOf(await simulate(world), 2_000, 3 * MINUTE_MS);
      expect(most).toBeLessThanOrEqual(ratePerMinute * 1.02);
      expect(least).toBeGreaterThanOrEqual(ratePerMinute * 0.98);
    },
  );

  it.each([1, 7, 60])('of %i a minute holds within one message', async (ratePerMinute) => {
    const world = { seed: 3, ratePerMinute, minutes: 4, throttled: 0, latencyMs: () => 50 };
    const { least, most } = minutesOf(await simulate(world), 1_000, 4 * MINUTE_MS);
    expect(most).toBeLessThanOrEqual(ratePerMinute + 1);
    expect(least).toBeGreaterThanOrEqual(ratePerMinute - 1);
  });

  it('is never made up for after an outage or by an engine that was late', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = seeded(seed);
      const latencyMs = () => (random() < 0.05 ? 4_000 * random() : 100 * random());
      const outage = { fromMs: 50_000, toMs: 95_000 };
      const sent = await simulate({
        seed,
        ratePerMinute: 6_000,
        minutes: 4,
        throttled: 0.1,
        latencyMs,
        outage,
      });
      const { most } = minutesOf(sent, 0, 4 * MINUTE_MS);
      expect(most, `seed ${seed}`).toBeLessThanOrEqual(6_000 * 1.02);
      // It goes on at its rate afterwards.
      expect(minutesOf(sent, 100_000, 4 * MINUTE_MS).least, `seed ${seed}`).toBeGreaterThan(6_000 * 0.9);
    }
  });
});

it('a paced block sends to all others where the first of its targets is held back', async () => {
  const clock = createManualClock(0);
  const [audience, asked] = [emptyBitmap(), emptyBitmap()];
  for (let index = 0; index < 8; index++) setBit(audience, index);
  const pause = { channel: 1, service: 'fcm', status: 403, text: '' } as const;
  const runPacedBlock = createRunPacedBlock({
    store: {} as never,
    runBlock: async (_shard, _block, before, _stop, { among = emptyBitmap() } = {}) => {
      const maps = before as BlockMaps;
      const isHeld = hasBit(among, 0);
      if (isHeld) return { ...nothingLeft(maps), left: { ...noneLeft, heldBack: true, pause } };
      asked.set(either(asked, among));
      return nothingLeft({ ...maps, settled: either(maps.settled, among) });
    },
    reserveSendTime: async () => 0,
    slots: createSlots(AT_ONCE),
    clock,
  });
  const shard = { deliveryId: 1, lane: 'bulk', ratePerMinute: 60 } as LeasedShard & { ratePerMinute: number };
  const maps = { block: 0, audience, accepted: emptyBitmap(), settled: emptyBitmap() };
  const run = { stop: new Int32Array(new SharedArrayBuffer(4)), goOn: () => true, onStep: () => {} };
  const ending = await runPacedBlock(shard, 0, maps, run);
  expect(countBits(asked)).toBe(7);
  // No attempt at the held back targets, and the publisher gets a message.
  expect(ending).toMatchObject({ left: { heldBack: true, pause } });
});
