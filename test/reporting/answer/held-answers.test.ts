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
  const answers = createHeldAnswers({ answerBytes: 100, totalBytes: 200, waitMs: 5_000, clock });
  const dropped: string[] = [];
  const reader = (name: string, stop = new AbortController()): AnswerReader & { stop: AbortController } => ({
    stop,
    userId: name.charCodeAt(0),
    signal: stop.signal,
    drop: () => dropped.push(name),
  });
  const hold = async (name: string, size: number) => {
    const answer = await answers.hold(bytes(size), reader(name));
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
    await answers.hold(bytes(50), gone);
    gone.stop.abort();
    expect(answers.used()).toBe(0);
  });

  it('have a bound each', async () => {
    const { answers, reader } = setUp();
    expect(await answers.hold(bytes(101), reader('ada'))).toBe('large');
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
    const waiting = answers.hold(bytes(10), reader('eve'));
    await pass(clock, 5_500);
    expect(await waiting).toBe('full');
    expect(answers.used()).toBe(200);
  });

  it('of one user leave half of the room to others, and cost others nothing', async () => {
    const { clock, answers, dropped, reader, hold } = setUp();
    await hold('bob', 40);
    await hold('ada', 60);
    const third = answers.hold(bytes(60), reader('ada'));
    await pass(clock, 5_500);
    expect([await third, dropped, answers.used()]).toEqual(['full', [], 100]);
    expect(await read(await hold('eve', 100))).toBe(100);
    // Ada has read nothing for more than ten seconds by then, and neither has Bob: her own answer goes.
    const fourth = hold('ada', 60);
    await pass(clock, 11_000);
    expect([await read(await fourth), dropped]).toEqual([60, ['ada']]);
  });
});
