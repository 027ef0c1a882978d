// tier: unit
import { describe, expect, it } from 'vitest';
import { emptyBitmap, setBit } from '../../engine/contract/bitmap.ts';
import { outcomeCode } from '../../engine/contract/outcome.ts';
import { pushServices } from '../../engine/contract/push-service.ts';
import type { BlockMaps, LeasedShard } from '../../engine/contract/shard.ts';
import type { Reservation } from '../../engine/contract/standing.ts';
import { noneLeft } from '../../engine/dispatch/left.ts';
import type { PartOfBlock, RunBlock } from '../../engine/dispatch/run-block.ts';
import { nothingLeft } from '../../engine/dispatch/run-block.ts';
import { createRunBudgetedBlock } from '../../engine/dispatch/run-budgeted-block.ts';
import { createSlots } from '../../engine/dispatch/slots.ts';
import type { BlockSent } from '../../engine/worker/protocol.ts';
import { createManualClock } from '../support/manual-clock.ts';

const READERS = 20;
const ALLOWED = 960;
/** Half a second of the budget. */
const STEP = 8;
const FCM = pushServices.indexOf('fcm');

interface Given {
  readonly ratePerMinute?: number;
  /** Answers of the budget, in order; then it has room at once. */
  readonly reservations?: readonly Reservation[];
  readonly endsAfterSteps?: number;
}

/** A block of 20 readers at one push service that limits the app, over a manual clock. */
async function play({ ratePerMinute, reservations = [], endsAfterSteps = 99 }: Given = {}) {
  const clock = createManualClock(0);
  const parts: PartOfBlock[] = [];
  const reserved: number[] = [];
  const paced: number[] = [];
  const left = [...reservations];
  let sent = 0;
  const runBlock: RunBlock = async (_shard, _block, before, _stop, part = {}) => {
    parts.push(part);
    sent += Math.min(READERS - sent, part.granted?.fcm ?? 0);
    const waiting = READERS - sent;
    return {
      ...nothingLeft(before ?? maps),
      left: { ...noneLeft, budgeted: waiting === 0 ? {} : { fcm: waiting } },
      sent: sentOf(sent),
    };
  };
  const runBudgetedBlock = createRunBudgetedBlock({
    budgets: {
      of: async () => [{ appId: 1 as LeasedShard['appId'], service: 'fcm', allowedPerMinute: ALLOWED }],
    },
    reserve: async (_of, _lane, targets) => {
      reserved.push(targets);
      return left.shift() ?? { kind: 'reserved', waitMs: 500 };
    },
    reserveSendTime: async (_id, targets) => {
      paced.push(targets);
      return 100;
    },
    runBlock,
    runPacedBlock: async (_shard, _block, before) => ({
      ...nothingLeft(before ?? maps),
      left: { ...noneLeft, budgeted: { fcm: READERS } },
    }),
    slots: createSlots(1),
    clock,
  });
  const shard = {
    deliveryId: 1,
    appId: 1,
    lane: 'bulk',
    ratePerMinute: ratePerMinute ?? null,
  } as LeasedShard;
  const run = {
    stop: new Int32Array(new SharedArrayBuffer(4)),
    goOn: () => parts.length < endsAfterSteps,
    onStep: () => {},
  };
  const running = runBudgetedBlock(shard, 0, maps, run);
  let ended = false;
  void running.then(() => {
    ended = true;
  });
  for (let turn = 0; turn < 500 && !ended; turn++) {
    await new Promise(setImmediate);
    if (!ended) clock.advanceToNext();
  }
  return { parts, reserved, paced, ending: await running, tookMs: clock.now() };
}

const audience = emptyBitmap();
for (let seq = 0; seq < READERS; seq++) setBit(audience, seq);
const maps: BlockMaps = { block: 0, audience, accepted: emptyBitmap(), settled: emptyBitmap() };

/** The first were accepted, the others were not sent to. */
function sentOf(accepted: number): BlockSent {
  const outcomes = new Uint8Array(READERS);
  outcomes.fill(outcomeCode.accepted, 0, accepted);
  return {
    kind: 'block-sent',
    seqs: Uint32Array.from({ length: READERS }, (_, seq) => seq),
    outcomes,
    failures: new Uint8Array(READERS),
    statuses: new Uint16Array(READERS),
    services: new Uint8Array(READERS).fill(FCM),
    latenciesMs: new Uint16Array(READERS),
    retryAfterMs: {},
    reasons: [],
  };
}

describe('a block of an app with a budget', () => {
  it('serves all other push services first, then as many as half a second of the budget, until none is left', async () => {
    const { parts, reserved, ending, tookMs } = await play();
    expect(parts[0]).toEqual({});
    expect(parts.slice(1).map(({ granted }) => granted)).toEqual([{ fcm: STEP }, { fcm: STEP }, { fcm: 4 }]);
    expect(reserved).toEqual([STEP, STEP, 4]);
    expect(tookMs).toBe(1_500);
    expect(ending).toMatchObject({ kind: 'ended', left: { budgeted: {} }, sent: null });
  });

  it('asks only those again who were not sent to', async () => {
    const { parts } = await play();
    const isAmong = (part: PartOfBlock | undefined, seq: number) =>
      ((part?.among?.[seq >> 3] ?? 0) >> (seq & 7)) & 1;
    expect([isAmong(parts[2], STEP - 1), isAmong(parts[2], STEP)]).toEqual([0, 1]);
  });

  it('lets breaking messages go first', async () => {
    const { reserved, parts, tookMs } = await play({ reservations: [{ kind: 'later', waitMs: 2_000 }] });
    expect(reserved).toEqual([STEP, STEP, STEP, 4]);
    expect(parts).toHaveLength(4);
    expect(tookMs).toBe(3_500);
  });

  it('sends all that is left once the app is limited no longer', async () => {
    const { parts } = await play({ reservations: [{ kind: 'unlimited' }] });
    expect(parts.map(({ granted }) => granted)).toEqual([undefined, { fcm: READERS }]);
  });

  it('keeps to the rate of a paced delivery, too', async () => {
    const { paced, parts, tookMs } = await play({ ratePerMinute: 100 });
    expect(paced).toEqual([STEP, STEP, 4]);
    // Its other targets went at the pace before.
    expect(parts.map(({ granted }) => granted)).toEqual([{ fcm: STEP }, { fcm: STEP }, { fcm: 4 }]);
    expect(tookMs).toBe(1_800);
  });

  it('leaves the rest where no further step is wanted', async () => {
    const { ending, reserved } = await play({ endsAfterSteps: 2 });
    expect(reserved).toEqual([STEP]);
    expect(ending).toMatchObject({ kind: 'ended', left: { budgeted: { fcm: READERS - STEP } } });
  });
});
