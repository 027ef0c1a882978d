// tier: postgres
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpool, type SpoolOptions } from '../../reporting/spool/spool.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { until } from './support.ts';

const MB = 1024 ** 2;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-spool-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function createTest(changes: Partial<SpoolOptions> = {}) {
  const clock = createManualClock();
  const faults: unknown[] = [];
  const spool = createSpool({
    folder,
    totalBytes: 64 * MB,
    answerBytes: 64 * MB,
    slowestBytesPerSecond: 64 * 1024,
    clock,
    onFault: (error) => faults.push(error),
    ...changes,
  });
  /** An answer of this number of bytes, and how it ended. */
  const send = (bytes: Buffer, name = 'answer') => {
    const stop = new AbortController();
    const state = { ended: false, dropped: '' };
    const chunks = Array.from({ length: Math.ceil(bytes.length / 700_000) }, (_, n) =>
      bytes.subarray(n * 700_000, (n + 1) * 700_000),
    );
    const reader = spool
      .through(Readable.from(chunks), {
        signal: stop.signal,
        onEnd: () => {
          state.ended = true;
        },
        drop: (reason) => {
          state.dropped = `${name}: ${reason}`;
          stop.abort(new Error('dropped'));
        },
      })
      [Symbol.asyncIterator]();
    return { state, stop, read: async () => (await reader.next()).value as Buffer | undefined };
  };
  return { clock, spool, faults, send };
}

type Sent = ReturnType<ReturnType<typeof createTest>['send']>;

async function readAll({ read }: Sent): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let piece = await read(); piece !== undefined; piece = await read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Lets time go by for as long as it takes. */
const passing = (clock: ManualClock, holds: () => boolean, stepMs = 1_000): Promise<void> =>
  until(() => {
    if (holds()) return true;
    clock.advance(stepMs);
    return false;
  });

describe('an answer whose client keeps up', () => {
  it('touches no file, and lets go of its query before its client is done', async () => {
    const { spool, faults, send } = createTest({ folder: '/is/not/there' });
    const bytes = randomBytes(12 * MB);
    const sent = send(bytes);
    expect((await readAll(sent)).equals(bytes)).toBe(true);
    expect([sent.state.ended, spool.used(), faults]).toEqual([true, 0, []]);
  });

  it('waits in memory where its client is only a little slower', async () => {
    const { clock, spool, send } = createTest();
    const bytes = randomBytes(12 * MB);
    const sent = send(bytes);
    let got = 0;
    // 5 MB a second.
    for (let piece = await sent.read(); piece !== undefined; piece = await sent.read()) {
      got += piece.length;
      // The answer waits again before time goes by.
      await new Promise(setImmediate);
      clock.advance((piece.length / (5 * MB)) * 1_000);
      await new Promise(setImmediate);
      expect(spool.used()).toBe(0);
    }
    expect(got).toBe(bytes.length);
  });
});

describe('an answer whose client is slow', () => {
  it('is one that waited for it for five seconds, at any rate', async () => {
    const { clock, spool, send } = createTest();
    const sent = send(randomBytes(60 * MB));
    let got = 0;
    let most = 0;
    for (let piece = await sent.read(); piece !== undefined; piece = await sent.read()) {
      got += piece.length;
      // The answer waits again before time goes by.
      await new Promise(setImmediate);
      clock.advance((piece.length / (5 * MB)) * 1_000);
      await new Promise(setImmediate);
      if (got < 20 * MB) expect(spool.used()).toBe(0);
      most = Math.max(most, spool.used());
    }
    expect(most).toBeGreaterThan(0);
  });

  it.each([1, 7, 64])(
    'goes to a file of no name, and comes out as it went in (%i reads before)',
    async (reads) => {
      const { clock, spool, send } = createTest();
      const bytes = randomBytes(20 * MB + 12_345);
      const sent = send(bytes);
      const before: Buffer[] = [];
      for (let n = 0; n < reads; n++) before.push((await sent.read()) ?? Buffer.of());
      await passing(clock, () => sent.state.ended);
      expect(spool.used()).toBeGreaterThan(14 * MB);
      expect(await readdir(folder)).toEqual([]);
      expect(Buffer.concat([...before, await readAll(sent)]).equals(bytes)).toBe(true);
      expect([spool.used(), clock.pending()]).toEqual([0, 0]);
    },
  );

  it('gives its disk back when its client disconnects', async () => {
    const { clock, spool, send } = createTest();
    const sent = send(randomBytes(8 * MB));
    await passing(clock, () => sent.state.ended);
    sent.stop.abort(new Error('gone'));
    expect([spool.used(), clock.pending()]).toEqual([0, 0]);
    await expect(readAll(sent)).rejects.toThrow('gone');
  });

  it('is complete without a file where none can be made, and logs it once', async () => {
    const { clock, faults, send } = createTest({ folder: '/is/not/there' });
    const bytes = randomBytes(8 * MB);
    const sent = send(bytes);
    await passing(clock, () => faults.length > 0);
    expect((await readAll(sent)).equals(bytes)).toBe(true);
    expect([faults.length, sent.state.dropped]).toEqual([1, '']);
  });
});

describe('answers for which there is no room', () => {
  it('make the slowest client go, and no client that reads at the rate', async () => {
    const { clock, spool, send } = createTest({ totalBytes: 10 * MB });
    const idle = send(randomBytes(8 * MB), 'idle');
    await passing(clock, () => idle.state.ended);
    const bytes = randomBytes(20 * MB);
    const steady = send(bytes, 'steady');
    clock.advance(30_000);
    await passing(clock, () => idle.state.dropped !== '', 100);
    const got: Buffer[] = [];
    // 200 KB a second: behind, and above the rate.
    for (let piece = await steady.read(); piece !== undefined; piece = await steady.read()) {
      got.push(piece);
      clock.advance((piece.length / (200 * 1_024)) * 1_000);
      await new Promise(setImmediate);
    }
    expect(Buffer.concat(got).equals(bytes)).toBe(true);
    expect(idle.state.dropped).toBe('idle: it reads 0 bytes a second, and others need the room');
    expect([steady.state.dropped, spool.used()]).toEqual(['', 0]);
  });

  it('end with the client of one that is larger than one may be, if it reads nothing', async () => {
    const { clock, spool, send } = createTest({ answerBytes: 4 * MB });
    const sent = send(randomBytes(12 * MB), 'large');
    await passing(clock, () => sent.state.dropped !== '');
    expect([sent.state.ended, spool.used()]).toEqual([false, 0]);
  });

  it('do not pile up behind clients that read nothing of small ones', async () => {
    const { clock, send } = createTest();
    const small = Array.from({ length: 64 }, (_, n) => send(randomBytes(1_000), `small ${n}`));
    await until(() => small.every(({ state }) => state.ended));
    // None has had its time yet: the next one keeps its permit.
    const early = send(randomBytes(1_000));
    await new Promise(setImmediate);
    expect(early.state.ended).toBe(false);
    clock.advance(30_000);
    const late = send(randomBytes(1_000));
    await until(() => late.state.ended);
    expect(small.filter(({ state }) => state.dropped !== '')).toHaveLength(1);
  });
});
