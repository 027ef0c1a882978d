// tier: unit
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCalm, MAX_FRUITLESS, PER_REQUEST } from '../../../engine/worker/http/calm.ts';
import { codeOfError, flag, frameType, Http2Error, setting } from '../../../engine/worker/http/protocol.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import {
  data,
  frame,
  goAway,
  headers,
  literal,
  type RawConnection,
  reset,
  settings,
  startRawPeer,
  status,
  windowUpdate,
} from './raw-peer.ts';
import { noSecondClient, startClient, startSession, until } from './support.ts';

const { ping, continuation } = frameType;
const eight = Buffer.alloc(8);
const ENDED = 1;
const OPEN = 3;

/** Frames that bring nothing forward, once stream 1 has ended and stream 3 has its status and no body yet. */
const fruitless: Readonly<Record<string, Buffer>> = {
  SETTINGS: settings(),
  'SETTINGS that change something': settings(setting.maxConcurrentStreams, 90),
  'acknowledged SETTINGS': frame(frameType.settings, flag.ack, 0),
  PING: frame(ping, 0, 0, eight),
  'answers to a PING that nobody sent': frame(ping, flag.ack, 0, eight),
  'resets of a stream that is gone': reset(ENDED, 8),
  'DATA of a stream that is gone': data(ENDED, 'x'.repeat(500)),
  'headers of a stream that is gone': headers(ENDED, status(201)),
  'empty DATA': data(OPEN, '', false),
  'DATA that is padding alone': frame(
    frameType.data,
    flag.padded,
    OPEN,
    Buffer.concat([Buffer.from([9]), Buffer.alloc(9)]),
  ),
  'DATA of one byte': data(OPEN, 'x', false),
  'trailers without an end': headers(OPEN, literal('x', 'y'), false),
  'empty headers': headers(OPEN, Buffer.alloc(0), false),
  'empty CONTINUATION': Buffer.concat([
    frame(frameType.headers, 0, ENDED, status(201)),
    ...Array<Buffer>(60).fill(frame(continuation, 0, ENDED)),
    frame(continuation, flag.endHeaders, ENDED, literal('x', 'y')),
  ]),
  'windows of the connection that let nothing out': windowUpdate(0, 1),
  'windows of a stream that is gone': windowUpdate(ENDED, 1),
  'windows of a stream that let nothing out': windowUpdate(OPEN, 1),
  PRIORITY: frame(2, 0, OPEN, Buffer.alloc(5)),
  'unknown types': frame(0xfa, 0, 0),
  goodbyes: goAway(0x7fff_ffff),
};

describe('a peer that floods a session with frames that bring nothing forward', () => {
  it.each(Object.entries(fruitless))('is left with ENHANCE_YOUR_CALM at %s', async (_, one) => {
    const { connection, request, settled, over } = await startSession();
    const reported = [request(), request(), request()];
    connection.send(headers(ENDED, status(201)), headers(OPEN, status(400), false));
    await settled();
    connection.send(...Array<Buffer>(3_000).fill(one));
    await until(() => reported.every((each) => each.ends() > 0) && connection.isClosed());
    expect(reported.map((each) => each.reported[0])).toEqual(['201', '400', 'unknown ENHANCE_YOUR_CALM']);
    expect(connection.of(frameType.goAway).map(({ payload }) => payload.readUInt32BE(4))).toEqual([
      codeOfError('ENHANCE_YOUR_CALM'),
    ]);
    expect(['ENHANCE_YOUR_CALM', 'GOAWAY_NO_ERROR']).toContain(over[0]);
    expect(connection.of(ping).length).toBeLessThanOrEqual(MAX_FRUITLESS + 3 * PER_REQUEST + 100);
    expect(connection.of(frameType.settings).length).toBeLessThanOrEqual(
      MAX_FRUITLESS + 3 * PER_REQUEST + 100,
    );
  });

  it('is left after a few long frames, which take as much to read as many short ones', async () => {
    const { connection, request } = await startSession();
    const exchange = request();
    const many = settings(...Array.from({ length: 2_000 }, () => [setting.initialWindowSize, 9]).flat());
    connection.send(...Array<Buffer>(10).fill(many));
    await until(() => exchange.ends() > 0);
    expect(exchange.reported).toEqual(['unknown ENHANCE_YOUR_CALM']);
    expect(connection.of(frameType.settings).length).toBeLessThan(10);
  });

  it('calls a message refused of which a part stayed here, and unknown where all of it left', async () => {
    const { connection, request, settled } = await startSession({}, settings(setting.initialWindowSize, 4));
    const reported = [request('all'), request('a part of it')];
    await settled();
    connection.send(...Array<Buffer>(2_000).fill(frame(ping, 0, 0, eight)));
    await until(() => reported.every((one) => one.ends() > 0));
    expect(reported.map((one) => one.reported.join())).toEqual([
      'unknown ENHANCE_YOUR_CALM',
      'refused ENHANCE_YOUR_CALM',
    ]);
  });
});

describe('a peer with frames beside its answers', () => {
  it('is never left for a PING, a SETTINGS and three windows with each of 2,000 answers', async () => {
    const { connection, request, over } = await startSession();
    const beside = (id: number) => [
      ...[frame(ping, 0, 0, eight), settings(setting.maxConcurrentStreams, 100)],
      ...[windowUpdate(0, 4), windowUpdate(id, 4), data(id, 'why', false), data(id, '')],
    ];
    for (let id = 1; id < 4_000; id += 2) {
      const exchange = request();
      connection.send(headers(id, status(400), false), ...beside(id), windowUpdate(id, 4));
      await until(() => exchange.ends() > 0);
    }
    expect(over).toEqual([]);
  });

  it('is never left for as many as it may send a second, however long it does', () => {
    const clock = createManualClock();
    const calm = createCalm(clock.now);
    for (let second = 0; second < 3_600; second++) {
      clock.advance(1_000);
      for (let one = 0; one < 50; one++) calm.fruitless();
    }
  });

  it('is left for more than that, in the end', () => {
    const clock = createManualClock();
    const calm = createCalm(clock.now);
    const flood = () => {
      for (let second = 0; second < 1_000; second++) {
        clock.advance(1_000);
        for (let one = 0; one < 60; one++) calm.fruitless();
      }
    };
    expect(flood).toThrow(Http2Error);
  });
});

describe('a host that floods beside one that is honest', () => {
  /** Floods each connection for as long as it is open, from its first request on. */
  async function startFlood(...first: readonly Buffer[]) {
    const flood = Buffer.concat(Array<Buffer>(500).fill(frame(ping, 0, 0, eight)));
    const pour = (connection: RawConnection): void => {
      if (connection.isClosed() || !connection.socket.writable) return;
      connection.socket.write(flood, () => setImmediate(pour, connection));
    };
    const peer = await startRawPeer(
      (connection) => connection.send(settings()),
      (connection, { type, id }) => {
        if (type !== frameType.headers) return;
        // It answers now and then, so that nothing but the flood speaks against it.
        if (id === 1) connection.send(headers(id, status(201)), ...first);
        if (id === 1) pour(connection);
      },
    );
    onTestFinished(peer.close);
    return peer;
  }

  it.each([
    ['', []],
    [', and says goodbye first', [goAway(0x7fff_ffff)]],
  ])('costs as much as one session tolerates, and no message of the other%s', async (_, first) => {
    const hostile = await startFlood(...first);
    const honest = await startRawPeer(
      (connection) => connection.send(settings()),
      (connection, { type, id }) =>
        void (type === frameType.data && connection.send(headers(id, status(201)))),
    );
    onTestFinished(honest.close);
    const { post, reported, all } = startClient(hostile.ca, { connectionsPerOrigin: 1 }, noSecondClient);
    const total = 400;
    for (let at = 0; at < total; at++) {
      post(hostile.origin);
      post(honest.origin);
      if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await all();
    expect(reported.filter((_, at) => at % 2 === 1)).toEqual(Array(total).fill(['201']));
    const others = new Set(reported.filter((_, at) => at % 2 === 0).flat());
    for (const one of others) expect(one).toMatch(/^(201|(unknown|refused) ENHANCE_YOUR_CALM)$/);
    // Where a goodbye comes first, the next connection is on its way before the flood is noticed.
    if (first.length === 0) expect(others).toContain('refused ENHANCE_YOUR_CALM');
    expect(hostile.connections.length).toBeLessThanOrEqual(first.length === 0 ? 1 : 4);
    // What was read of it: the budget of each and what its requests added, and nothing after that.
    for (const connection of hostile.connections) {
      const requests = connection.of(frameType.headers).length;
      expect(connection.of(ping).length).toBeLessThanOrEqual(
        MAX_FRUITLESS + Math.min(requests, 100) * PER_REQUEST + 600,
      );
    }
  });
});
