// tier: unit
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  type AnswerReader,
  createHeldAnswers,
  type HeldAnswer,
} from '../../../reporting/answer/held-answers.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const bytes = (size: number): Readable => Readable.from([Buffer.alloc(size, 97)]);

function setUp() {
  const clock = createManualClock();
  const bounds = { answerBytes: 100, answerRows: 50, totalBytes: 200, waitMs: 5_000 };
  const answers = createHeldAnswers({ ...bounds, clock });
  const dropped: string[] = [];
  const reader = (name: string, stop = new AbortController()): AnswerReader & { stop: AbortController } => ({
    stop,
    userId: name.charCodeAt(0),
    // Users with a number at the end of their name have one organization.
    organizationId: /\d$/.test(name) ? 0 : name.charCodeAt(0),
    signal: stop.signal,
    drop: () => dropped.push(name),
  });
  const hold = async (name: string, size: number) => {
    const answer = await answers.hold({ rows: bytes(size) }, reader(name));
    if (typeof answer === 'string') throw new Error(answer);
    return answer;
  };
  return { clock, answers, dropped, reader, hold };
}

async function read({ read: start }: HeldAnswer): Promise<number> {
  let size = 0;
  for await (const piece of start()) size += piece.length;
  return size;
}

/** Lets promises go on while the clock moves. */
async function pass(clock: ReturnType<typeof createManualClock>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(100);
  }
}

describe('answers in memory', () => {
  it('are counted until they are read or their client is gone', async () => {
    const { answers, reader, hold } = setUp();
    const answer = await hold('ada', 80);
    expect([answer.size, answers.used()]).toEqual([80, 80]);
    expect([await read(answer), answers.used()]).toEqual([80, 0]);
    const gone = reader('bob');
    await answers.hold({ rows: bytes(50) }, gone);
    gone.stop.abort();
    expect(answers.used()).toBe(0);
  });

  it('have a bound each', async () => {
    const { answers, reader } = setUp();
    expect(await answers.hold({ rows: bytes(101) }, reader('ada'))).toBe('large');
    expect(answers.used()).toBe(0);
  });

  it('wait for room, and disconnect a client that has not read for ten seconds', async () => {
    const { clock, answers, dropped, hold } = setUp();
    const first = await hold('ada', 100);
    await hold('bob', 100);
    await pass(clock, 6_000);
    const waiting = hold('eve', 100);
    await pass(clock, 3_000);
    expect([dropped, answers.used()]).toEqual([[], 200]);
    await pass(clock, 2_000);
    expect(await read(await waiting)).toBe(100);
    expect(dropped).toHaveLength(1);
    await expect(read(first).then((size) => size + dropped.indexOf('bob'))).resolves.toBeLessThanOrEqual(100);
  });

  it('give up where there is no room in time, and nobody is slow', async () => {
    const { clock, answers, reader, hold } = setUp();
    await hold('ada', 100);
    await hold('bob', 100);
    const waiting = answers.hold({ rows: bytes(10) }, reader('eve'));
    await pass(clock, 5_500);
    expect(await waiting).toBe('full');
    expect(answers.used()).toBe(200);
  });

  it('of one organization leave a quarter of the room to others, however many users it has', async () => {
    const { clock, answers, dropped, reader, hold } = setUp();
    for (const name of ['1', '2', '3']) await hold(name, 50);
    const fourth = answers.hold({ rows: bytes(50) }, reader('4'));
    await pass(clock, 5_500);
    expect([await fourth, dropped, answers.used()]).toEqual(['full', [], 150]);
    expect(await read(await hold('eve', 50))).toBe(50);
  });

  it('of one user leave half of the room to others, and cost others nothing', async () => {
    const { clock, answers, dropped, reader, hold } = setUp();
    await hold('bob', 40);
    await hold('ada', 60);
    const third = answers.hold({ rows: bytes(60) }, reader('ada'));
    await pass(clock, 5_500);
    expect([await third, dropped, answers.used()]).toEqual(['full', [], 100]);
    expect(await read(await hold('eve', 100))).toBe(100);
    // Ada has read nothing for more than ten seconds by then, and neither has Bob: her own answer goes.
    const fourth = hold('ada', 60);
    await pass(clock, 11_000);
    expect([await read(await fourth), dropped]).toEqual([60, ['ada']]);
  });
});

describe('an answer in parts', () => {
  /** Each part is made when the test says so. */
  function inParts(shares: readonly number[]) {
    const made: (() => void)[] = [];
    const failing: ((error: Error) => void)[] = [];
    const asked: number[] = [];
    const later = shares.slice(1).map((share, index) => ({
      share,
      open: () => {
        asked.push(index + 1);
        return new Promise<Readable>((resolve, reject) => {
          made[index + 1] = () => resolve(bytes(30));
          failing[index + 1] = reject;
        });
      },
    }));
    return { made, failing, asked, later, share: shares[0] ?? 1 };
  }
  const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 5));

  it('begins when its first part says that the rest fits, and ends with the last', async () => {
    const { answers, reader } = setUp();
    const parts = inParts([0.4, 0.6]);
    const held = await answers.hold({ rows: bytes(30), ...parts }, reader('ada'));
    if (typeof held === 'string') throw new Error(held);
    let [isWhole, size] = [false, 0];
    void held.whole.then(() => {
      isWhole = true;
    });
    const reading = (async () => {
      for await (const piece of held.read()) size += piece.length;
    })();
    await settled();
    expect([size, isWhole, held.size, answers.used()]).toEqual([30, false, 75, 0]);
    parts.made[1]?.();
    await reading;
    expect([size, isWhole, answers.used()]).toEqual([60, true, 0]);
  });

  it.each([
    ['is too large', { first: 60, share: 0.4 }],
    ['has no rows yet', { first: 0, share: 0.4 }],
  ])('that %s by its first part is not sent before it is whole', async (_case, { first, share }) => {
    const { answers, reader } = setUp();
    const parts = inParts([share, 1 - share]);
    const holding = answers.hold({ rows: bytes(first), ...parts }, reader('ada'));
    let begun = false;
    void holding.then(() => {
      begun = true;
    });
    await settled();
    expect([parts.asked, begun]).toEqual([[1], false]);
    parts.made[1]?.();
    const held = await holding;
    if (typeof held === 'string') throw new Error(held);
    expect([await read(held), held.size]).toEqual([first + 30, first + 30]);
  });

  it('is refused where it has too many rows, and where a part that nobody waits for yet is not made', async () => {
    const { answers, reader } = setUp();
    const lines = (): Readable => Readable.from([Buffer.from('\n'.repeat(30))]);
    const second = { share: 0.5, open: async () => lines() };
    await expect(
      answers.hold({ rows: lines(), share: 0.5, later: [second] }, reader('ada')),
    ).rejects.toMatchObject({ failure: 'rows' });
    const parts = inParts([0.1, 0.9]);
    const holding = answers.hold({ rows: bytes(30), ...parts }, reader('ada'));
    await settled();
    parts.failing[1]?.(new Error('no memory'));
    await expect(holding).rejects.toThrow('no memory');
    expect(answers.used()).toBe(0);
  });

  it('that began breaks off where the rest is not made, and gives its room back', async () => {
    const { answers, reader } = setUp();
    const parts = inParts([0.5, 0.5]);
    const held = await answers.hold({ rows: bytes(30), ...parts }, reader('ada'));
    if (typeof held === 'string') throw new Error(held);
    const reading = read(held);
    await settled();
    parts.failing[1]?.(new Error('ClickHouse is away'));
    await expect(reading).rejects.toThrow('ClickHouse is away');
    await expect(held.whole).rejects.toThrow('ClickHouse is away');
    expect(answers.used()).toBe(0);
  });

  it('keeps the room that it needs, so that another one waits in its place', async () => {
    const { clock, answers, reader } = setUp();
    const parts = inParts([0.3, 0.7]);
    const first = await answers.hold({ rows: bytes(30), ...parts }, reader('ada'));
    if (typeof first === 'string') throw new Error(first);
    const second = await answers.hold({ rows: bytes(90) }, reader('bob'));
    if (typeof second === 'string') throw new Error(second);
    const third = answers.hold({ rows: bytes(40) }, reader('eve'));
    await pass(clock, 5_500);
    expect(await third).toBe('full');
    parts.made[1]?.();
    expect(await read(first)).toBe(60);
  });

  it('that grows beyond its bound after it began waits for its client, and takes no more memory', async () => {
    const { clock, answers, reader } = setUp();
    const later = [0, 1, 2, 3, 4].map(() => ({ share: 0.1, open: async () => bytes(60) }));
    const held = await answers.hold({ rows: bytes(40), share: 0.5, later }, reader('ada'));
    if (typeof held === 'string') throw new Error(held);
    await pass(clock, 1_000);
    expect(answers.used()).toBe(100);
    const reading = read(held);
    await pass(clock, 1_000);
    expect(await reading).toBe(340);
    expect(answers.used()).toBe(0);
  });

  it('whose client is too slow for others ends with it, and its rest takes no room', async () => {
    const { clock, answers, dropped, reader, hold } = setUp();
    const parts = inParts([0.4, 0.6]);
    const slow = await answers.hold({ rows: bytes(40), ...parts }, reader('ada'));
    if (typeof slow === 'string') throw new Error(slow);
    await pass(clock, 11_000);
    await hold('bob', 100);
    const waiting = hold('eve', 100);
    await pass(clock, 1_000);
    expect(dropped).toEqual(['ada']);
    parts.made[1]?.();
    await expect(slow.whole).rejects.toThrow('disconnected');
    await expect(read(slow)).rejects.toThrow('disconnected');
    expect([await read(await waiting), answers.used()]).toEqual([100, 100]);
  });

  it('of a client that is gone ends, and asks for no more parts', async () => {
    const { answers, reader } = setUp();
    const parts = inParts([0.3, 0.3, 0.4]);
    const ada = reader('ada');
    const held = await answers.hold({ rows: bytes(20), ...parts }, ada);
    if (typeof held === 'string') throw new Error(held);
    ada.stop.abort(new Error('gone'));
    parts.made[1]?.();
    await expect(held.whole).rejects.toThrow('gone');
    expect([parts.asked, answers.used()]).toEqual([[1], 0]);
  });
});
