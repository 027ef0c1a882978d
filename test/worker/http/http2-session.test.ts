// tier: unit
import { describe, expect, it } from 'vitest';
import { codeOfError, flag, frameType, MAX_WINDOW, setting } from '../../../engine/worker/http/protocol.ts';
import {
  data,
  frame,
  goAway,
  headers,
  indexed,
  literal,
  reset,
  settings,
  status,
  windowUpdate,
} from './raw-peer.ts';
import { sleep, startSession, until } from './support.ts';

const { initialWindowSize, maxConcurrentStreams } = setting;

describe('an HTTP/2 session', () => {
  it('reads answers that come byte by byte', async () => {
    const { connection, request } = await startSession();
    const exchanges = [request(), request()];
    const bytes = Buffer.concat([
      headers(3, Buffer.concat([status(429), literal('retry-after', '17')]), false),
      ...[data(3, 'too ', false), headers(1, status(201)), data(3, 'many')],
    ]);
    for (const byte of bytes) {
      connection.send(Buffer.from([byte]));
      await sleep(0);
    }
    await until(() => exchanges.every((one) => one.ends() > 0));
    expect(exchanges.map((one) => one.reported)).toEqual([
      ['201', 'end'],
      ['429 17', 'body too ', 'body many', 'end'],
    ]);
  });

  it('sends no request to a peer that has not sent its settings, and closes after a while', async () => {
    const { session, over } = await startSession({ settingsTimeoutMs: 60 }, null);
    expect(session.free()).toBe(0);
    await until(() => over.length > 0);
    expect(over).toEqual(['SETTINGS_TIMEOUT']);
  });

  it('stays with a peer that said them, however long after', async () => {
    const { connection, request, over } = await startSession({ settingsTimeoutMs: 60 });
    const exchange = request();
    await sleep(150);
    expect(over).toEqual([]);
    connection.send(headers(1, status(201)));
    await until(() => exchange.ends() > 0);
    expect(exchange.reported).toEqual(['201', 'end']);
  });

  it('takes as many requests as the peer allows just now', async () => {
    const { session, connection, request, settled } = await startSession(
      {},
      settings(maxConcurrentStreams, 0),
    );
    expect(session.free()).toBe(0);
    connection.send(settings(maxConcurrentStreams, 3));
    await settled();
    request();
    request();
    expect(session.free()).toBe(1);
    connection.send(settings(maxConcurrentStreams, 1));
    await settled();
    expect(session.free()).toBe(0);
    connection.send(headers(1, status(201)));
    await settled();
    expect(session.free()).toBe(0);
    connection.send(headers(3, status(201)));
    await settled();
    expect(session.free()).toBe(1);
  });

  it('sends no more of a body than the stream’s window, below zero too', async () => {
    const { session, connection, request, settled, bodyOf } = await startSession(
      {},
      settings(initialWindowSize, 10),
    );
    request('0123456789abcdefghij');
    await settled();
    expect(bodyOf(1)).toBe('0123456789');
    expect(session.free()).toBe(99);
    connection.send(settings(initialWindowSize, 4), windowUpdate(1, 6));
    await settled();
    expect(bodyOf(1)).toBe('0123456789');
    connection.send(windowUpdate(1, 5));
    await settled();
    expect(bodyOf(1)).toBe('0123456789abcde');
    connection.send(settings(initialWindowSize, 5));
    await settled();
    expect(bodyOf(1)).toBe('0123456789abcdef');
    connection.send(windowUpdate(1, MAX_WINDOW));
    await settled();
    expect(bodyOf(1)).toBe('0123456789abcdefghij');
    expect(connection.of(frameType.data).map(({ flags }) => flags)).toEqual([0, 0, 0, 1]);
    expect(session.free()).toBe(99);
  });

  it('sends other requests while one waits for its stream’s window', async () => {
    const { connection, request, settled, bodyOf } = await startSession({}, settings(initialWindowSize, 4));
    const waiting = request('0123456789');
    await settled();
    const others = ['abcd', 'efgh', 'ijkl'].map((body) => request(body));
    await settled();
    expect([bodyOf(1), bodyOf(3), bodyOf(5), bodyOf(7)]).toEqual(['0123', 'abcd', 'efgh', 'ijkl']);
    connection.send(...[3, 5, 7].map((id) => headers(id, status(201))));
    await settled();
    expect(others.map((one) => one.reported.join())).toEqual(['201,end', '201,end', '201,end']);
    expect(waiting.reported).toEqual([]);
    connection.send(windowUpdate(1, 6), headers(1, status(201)));
    await settled();
    expect(bodyOf(1)).toBe('0123456789');
    expect(waiting.reported).toEqual(['201', 'end']);
  });

  it('sends no more of all bodies than the connection’s window', async () => {
    const { session, connection, request, settled, bodyOf } = await startSession(
      {},
      settings(initialWindowSize, 200_000),
    );
    const body = 'x'.repeat(65_536);
    request(body);
    await settled();
    expect(bodyOf(1)).toHaveLength(65_535);
    expect(session.free()).toBe(0);
    connection.send(windowUpdate(0, 1));
    await settled();
    expect(bodyOf(1)).toBe(body);
    expect(session.free()).toBe(0);
    connection.send(windowUpdate(0, 1));
    await settled();
    expect(session.free()).toBe(99);
    for (const { payload } of connection.of(frameType.data))
      expect(payload.length).toBeLessThanOrEqual(16_384);
  });

  it('resets a stream whose window update is zero or out of bounds, and keeps the others', async () => {
    const { connection, request, settled, over } = await startSession();
    const exchanges = [request(), request(), request()];
    connection.send(windowUpdate(1, 0), windowUpdate(3, MAX_WINDOW), headers(5, status(201)));
    await settled();
    expect(exchanges.map((one) => one.reported.join())).toEqual([
      'unknown PROTOCOL_ERROR',
      'unknown FLOW_CONTROL_ERROR',
      '201,end',
    ]);
    expect(
      connection.of(frameType.resetStream).map(({ id, payload }) => [id, payload.readUInt32BE(0)]),
    ).toEqual([
      [1, codeOfError('PROTOCOL_ERROR')],
      [3, codeOfError('FLOW_CONTROL_ERROR')],
    ]);
    expect(over).toEqual([]);
  });

  it('resets a request that is answered before it was read', async () => {
    const { session, connection, request, settled } = await startSession({}, settings(initialWindowSize, 0));
    const exchange = request();
    await settled();
    expect(session.free()).toBe(99);
    connection.send(headers(1, status(413)));
    await settled();
    expect(exchange.reported).toEqual(['413', 'end']);
    expect(connection.of(frameType.resetStream).map(({ id }) => id)).toEqual([1]);
    expect(session.free()).toBe(100);
  });

  it('goes on with its answers after a goodbye, until the second one names the last request', async () => {
    const { session, connection, request, settled, over } = await startSession();
    const exchanges = [request(), request(), request()];
    connection.send(goAway(MAX_WINDOW));
    await settled();
    expect(over).toEqual(['GOAWAY_NO_ERROR']);
    expect(session.free()).toBe(0);
    connection.send(headers(1, status(201)), goAway(3));
    await settled();
    expect(exchanges.map((one) => one.reported.join())).toEqual(['201,end', '', 'refused GOAWAY_NO_ERROR']);
    connection.send(headers(3, status(202)));
    await until(connection.isClosed);
    expect(exchanges[1]?.reported).toEqual(['202', 'end']);
    expect(connection.of(frameType.goAway)).toHaveLength(1);
  });

  it('distinguishes a reset after the headers from one before them, and a refusal from both', async () => {
    const { connection, request, settled } = await startSession();
    const exchanges = [request(), request(), request(), request()];
    connection.send(headers(1, status(500), false), reset(1, codeOfError('CANCEL')));
    connection.send(reset(3, codeOfError('INTERNAL_ERROR')), reset(5, codeOfError('REFUSED_STREAM')));
    connection.send(reset(5, codeOfError('REFUSED_STREAM')), data(7, 'no headers yet'));
    await settled();
    expect(exchanges.map((one) => one.reported.join())).toEqual([
      '500,unknown CANCEL',
      ...['unknown INTERNAL_ERROR', 'refused REFUSED_STREAM', 'unknown PROTOCOL_ERROR'],
    ]);
  });

  it('keeps the table of fields in step by the answers of streams that are gone', async () => {
    const { connection, request, settled } = await startSession({ answerTimeoutMs: 50 });
    const late = request();
    await until(() => late.ends() > 0);
    const exchange = request();
    connection.send(headers(1, Buffer.concat([status(429), indexed('retry-after', '17')])));
    connection.send(data(1, 'who asked?'), windowUpdate(1, 1), reset(1, 0));
    connection.send(headers(3, Buffer.concat([status(503), Buffer.from([0x80 | 62])])));
    await settled();
    expect(exchange.reported).toEqual(['503 17', 'end']);
    expect(late.reported).toEqual(['unknown ANSWER_TIMEOUT']);
  });

  it('reads padding, priorities, continuations, interim answers, trailers and frames that it does not know', async () => {
    const { connection, request, settled } = await startSession();
    const exchange = request();
    const block = status(404);
    connection.send(frame(0xfa, 0xff, 1, Buffer.from('grease')), frame(2, 0, 1, Buffer.alloc(5)));
    connection.send(headers(1, status(103), false));
    const padded = Buffer.concat([Buffer.from([3]), Buffer.alloc(5), block.subarray(0, 4), Buffer.alloc(3)]);
    connection.send(frame(frameType.headers, flag.padded | flag.priority, 1, padded));
    connection.send(frame(frameType.continuation, 0, 1, block.subarray(4, 6)));
    connection.send(frame(frameType.continuation, flag.endHeaders, 1, block.subarray(6)));
    connection.send(frame(frameType.data, flag.padded, 1, Buffer.from('\u0002gone--')));
    connection.send(frame(frameType.data, flag.padded, 1, Buffer.from([0])));
    connection.send(headers(1, literal('x-checksum', '1')));
    await settled();
    expect(exchange.reported).toEqual(['404', 'body gone', 'end']);
  });

  it('returns the window for bytes it reads, so that bodies never stall', async () => {
    const { connection, request, settled } = await startSession();
    const given = () =>
      connection.of(frameType.windowUpdate).reduce((sum, one) => sum + one.payload.readUInt32BE(0), 0);
    const before = given();
    for (let id = 1; id < 81; id += 2) {
      request();
      connection.send(headers(id, status(400), false), data(id, 'x'.repeat(16_000)));
      await settled();
    }
    expect(given() - before).toBeGreaterThan(40 * 16_000 - 524_288);
    expect(connection.of(frameType.resetStream)).toEqual([]);
  });

  it('takes the status of a body without an end, and cuts it off', async () => {
    const { connection, request, settled } = await startSession();
    const exchange = request();
    connection.send(headers(1, status(400), false));
    for (let piece = 0; piece < 5; piece++) connection.send(data(1, 'x'.repeat(4_000), false));
    await settled();
    expect(exchange.reported.at(-1)).toBe('unknown CANCEL');
    expect(exchange.ends()).toBe(1);
  });
});
