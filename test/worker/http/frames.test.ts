// tier: unit
import { describe, expect, it } from 'vitest';
import { createFrameReader, type Frame } from '../../../engine/worker/http/frame-reader.ts';
import { createFrameWriter } from '../../../engine/worker/http/frame-writer.ts';
import { createOutgoing, type OutgoingStream } from '../../../engine/worker/http/outgoing.ts';
import { Http2Error, MAX_WINDOW } from '../../../engine/worker/http/protocol.ts';
import { data, frame, headers, settings, status } from './raw-peer.ts';

/** @returns what was read of the chunks, payloads copied. */
function read(chunks: readonly Buffer[]): string[] {
  const frames: string[] = [];
  const take = createFrameReader(({ type, flags, streamId, payload }: Frame) =>
    frames.push(`${type} ${flags} ${streamId} ${payload.toString('hex')}`),
  );
  for (const chunk of chunks) take(chunk);
  return frames;
}

const bytes = Buffer.concat([
  settings(4, 1),
  headers(1, status(201), false),
  frame(4, 1, 0),
  data(1, 'a body'),
]);
const whole = read([bytes]);

describe('the frame reader', () => {
  it('reads the same frames wherever they are cut in two or three', () => {
    expect(whole).toHaveLength(4);
    for (let at = 0; at <= bytes.length; at++) {
      for (let to = at; to <= bytes.length; to++) {
        const chunks = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
        expect(read(chunks), `${at} ${to}`).toEqual(whole);
      }
    }
  });

  it('reads them in pieces of any size', () => {
    for (let size = 1; size <= bytes.length; size++) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(read(chunks), `${size}`).toEqual(whole);
    }
  });

  it('takes the longest frame, leaves out the reserved bit, and ends before it holds a longer one', () => {
    const longest = frame(0, 0, 0x8000_0003, Buffer.alloc(16_384));
    expect(read([longest.subarray(0, 100), longest.subarray(100)])[0]).toMatch(/^0 0 3 0/);
    expect(() => read([Buffer.from([0, 0x40, 1, 0, 0, 0, 0, 0, 1])])).toThrow(Http2Error);
  });
});

/** @returns what was written: the stream, the length, and whether it was the last of the stream. */
function makeOutgoing() {
  const written: [number, number, boolean][] = [];
  const take = createFrameReader(({ streamId, payload, flags }) =>
    written.push([streamId, payload.length, (flags & 1) === 1]),
  );
  const outgoing = createOutgoing(createFrameWriter((sent) => take(Buffer.from(sent))));
  return {
    outgoing,
    stream: (id: number, length: number): OutgoingStream => ({
      ...{ id, body: Buffer.alloc(length), sentBytes: 0, window: outgoing.initialWindow() },
    }),
    async taken() {
      await Promise.resolve();
      return written.splice(0);
    },
  };
}

describe('bodies on their way out', () => {
  it('end with the frame that is the last, be they empty or as long as a window', async () => {
    const { outgoing, stream, taken } = makeOutgoing();
    outgoing.setInitialWindow(5, []);
    for (const [id, length] of [
      [1, 0],
      [3, 5],
    ] as const)
      outgoing.body(stream(id, length));
    expect(await taken()).toEqual([
      [1, 0, true],
      [3, 5, true],
    ]);
    expect(outgoing.isFull()).toBe(false);
  });

  it('are cut at 16,384 bytes', async () => {
    const { outgoing, stream, taken } = makeOutgoing();
    outgoing.body(stream(1, 40_000));
    expect(await taken()).toEqual([
      [1, 16_384, false],
      [1, 16_384, false],
      [1, 7_232, true],
    ]);
  });

  it('share the connection’s window in their order, and wait for it', async () => {
    const { outgoing, stream, taken } = makeOutgoing();
    for (const id of [1, 3, 5, 7]) outgoing.body(stream(id, 16_384));
    expect((await taken()).at(-1)).toEqual([7, 16_383, false]);
    const late = stream(9, 3);
    outgoing.body(late);
    outgoing.widen(2);
    outgoing.goOn();
    expect(await taken()).toEqual([
      [7, 1, true],
      [9, 1, false],
    ]);
    outgoing.drop(late);
    expect(outgoing.isFull()).toBe(true);
    outgoing.widen(10);
    outgoing.goOn();
    expect(await taken()).toEqual([]);
    expect(outgoing.isFull()).toBe(false);
  });

  it('pass one that waits for its own window', async () => {
    const { outgoing, stream, taken } = makeOutgoing();
    outgoing.setInitialWindow(3, []);
    const [first, second] = [stream(1, 9), stream(3, 9)];
    for (const one of [first, second]) outgoing.body(one);
    expect(outgoing.widenStream(second, 6)).toBe(true);
    outgoing.goOn();
    expect(await taken()).toEqual([
      [1, 3, false],
      [3, 3, false],
      [3, 6, true],
    ]);
    outgoing.setInitialWindow(0, [first]);
    expect(first.window).toBe(-3);
    outgoing.widenStream(first, 3);
    outgoing.goOn();
    expect(await taken()).toEqual([]);
    outgoing.widenStream(first, 6);
    outgoing.goOn();
    expect(await taken()).toEqual([[1, 6, true]]);
  });

  it('know the bounds of windows', () => {
    const { outgoing, stream } = makeOutgoing();
    const one = stream(1, 1);
    expect(outgoing.widenStream(one, 0)).toBe(false);
    expect(outgoing.widenStream(one, MAX_WINDOW)).toBe(false);
    expect(() => outgoing.widen(0)).toThrow(Http2Error);
    expect(() => outgoing.widen(MAX_WINDOW)).toThrow(Http2Error);
    expect(() => outgoing.setInitialWindow(MAX_WINDOW + 1, [])).toThrow(Http2Error);
    const wide = stream(3, 1);
    outgoing.widenStream(wide, 1);
    expect(() => outgoing.setInitialWindow(MAX_WINDOW, [wide])).toThrow(Http2Error);
  });
});
