// tier: unit
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  codeOfError,
  type ErrorName,
  flag,
  frameType,
  MAX_WINDOW,
  setting,
} from '../../../engine/worker/http/protocol.ts';
import { pushTransports } from '../support.ts';
import {
  data,
  frame,
  headers,
  numbers,
  reset,
  settings,
  startRawPeer,
  status,
  windowUpdate,
} from './raw-peer.ts';
import { startClient, startSession, until } from './support.ts';

const { continuation, goAway, ping, pushPromise } = frameType;
const open = frame(frameType.headers, 0, 1, status(200));
const list = Buffer.from([0x82]);

/** What ends the connection, and the code that the peer receives. */
const offences: Readonly<Record<string, readonly [Buffer, ErrorName]>> = {
  'a frame of more than 16,384 bytes': [Buffer.from([0, 0x40, 1, 0, 0, 0, 0, 0, 1]), 'FRAME_SIZE_ERROR'],
  'DATA of a stream that was never opened': [data(3, 'x'), 'PROTOCOL_ERROR'],
  'HEADERS of a stream that was never opened': [headers(3, status(200)), 'PROTOCOL_ERROR'],
  'HEADERS of the peer’s own stream': [headers(2, status(200)), 'PROTOCOL_ERROR'],
  'HEADERS of the connection': [headers(0, status(200)), 'PROTOCOL_ERROR'],
  'DATA of the connection': [data(0, 'x'), 'PROTOCOL_ERROR'],
  'a reset of a stream that was never opened': [reset(3, 0), 'PROTOCOL_ERROR'],
  'a reset of the wrong size': [frame(frameType.resetStream, 0, 1, Buffer.alloc(5)), 'FRAME_SIZE_ERROR'],
  'a window of a stream that was never opened': [windowUpdate(3, 1), 'PROTOCOL_ERROR'],
  'a window that grows by nothing': [windowUpdate(0, 0), 'PROTOCOL_ERROR'],
  'a window out of bounds': [windowUpdate(0, MAX_WINDOW), 'FLOW_CONTROL_ERROR'],
  'a first window out of bounds': [settings(setting.initialWindowSize, MAX_WINDOW + 1), 'FLOW_CONTROL_ERROR'],
  'a first window that puts an open stream out of bounds': [
    Buffer.concat([windowUpdate(1, 100_000), settings(setting.initialWindowSize, MAX_WINDOW)]),
    'FLOW_CONTROL_ERROR',
  ],
  'frames of less than 16,384 bytes': [settings(setting.maxFrameSize, 16_383), 'PROTOCOL_ERROR'],
  'settings of a stream': [frame(frameType.settings, 0, 1), 'PROTOCOL_ERROR'],
  'settings of the wrong size': [frame(frameType.settings, 0, 0, Buffer.alloc(5)), 'FRAME_SIZE_ERROR'],
  'a pushed stream': [frame(pushPromise, flag.endHeaders, 1, numbers(2)), 'PROTOCOL_ERROR'],
  'a ping of a stream': [frame(ping, 0, 1, Buffer.alloc(8)), 'PROTOCOL_ERROR'],
  'a ping of the wrong size': [frame(ping, 0, 0, Buffer.alloc(9)), 'FRAME_SIZE_ERROR'],
  'a goodbye of a stream': [frame(goAway, 0, 1, Buffer.alloc(8)), 'PROTOCOL_ERROR'],
  'a goodbye of the wrong size': [frame(goAway, 0, 0, Buffer.alloc(7)), 'FRAME_SIZE_ERROR'],
  'a continuation of nothing': [frame(continuation, flag.endHeaders, 1, list), 'PROTOCOL_ERROR'],
  'a continuation of another stream': [Buffer.concat([open, frame(continuation, 4, 3)]), 'PROTOCOL_ERROR'],
  'a header block with a ping in it': [
    Buffer.concat([open, frame(ping, 0, 0, Buffer.alloc(8))]),
    'PROTOCOL_ERROR',
  ],
  'empty continuations without an end': [
    Buffer.concat([open, ...Array(100).fill(frame(continuation, 0, 1))]),
    'ENHANCE_YOUR_CALM',
  ],
  'full continuations without an end': [
    Buffer.concat([open, ...Array(5).fill(frame(continuation, 0, 1, Buffer.alloc(16_384)))]),
    'ENHANCE_YOUR_CALM',
  ],
  'fields without bound': [headers(1, Buffer.alloc(1_000, 0x82)), 'COMPRESSION_ERROR'],
  'a field that is in no table': [headers(1, Buffer.from([0xff, 0x7f])), 'COMPRESSION_ERROR'],
  'more padding than data': [frame(frameType.data, flag.padded, 1, Buffer.from([2, 0])), 'PROTOCOL_ERROR'],
  'more padding than headers': [
    frame(frameType.headers, flag.padded | 4, 1, Buffer.from([9])),
    'PROTOCOL_ERROR',
  ],
  'a priority cut short': [
    frame(frameType.headers, flag.priority | 4, 1, Buffer.alloc(4)),
    'FRAME_SIZE_ERROR',
  ],
};

describe('a session whose peer breaks the protocol', () => {
  it.each(Object.entries(offences))('ends at %s, and reports why', async (_, [bytes, code]) => {
    const { connection, request, over } = await startSession();
    const exchange = request();
    await until(() => connection.of(frameType.data).length === 1);
    connection.send(bytes, headers(1, status(201)));
    await until(() => connection.isClosed() && exchange.ends() > 0);
    expect(exchange.reported).toEqual([`unknown ${code}`]);
    expect(over).toEqual([code]);
    expect(connection.of(goAway).map(({ payload }) => payload.readUInt32BE(4))).toEqual([codeOfError(code)]);
  });

  it('ends where anything comes before the settings', async () => {
    const { connection, over } = await startSession({}, null);
    connection.send(frame(ping, 0, 0, Buffer.alloc(8)));
    await until(connection.isClosed);
    expect(over).toEqual(['PROTOCOL_ERROR']);
  });

  it.each(['', '20', '2000', '2e2', 'abc', '099', '-20', 'NaN'])(
    'takes "%s" for no status, and goes on with other requests',
    async (wrong) => {
      const { connection, request, settled } = await startSession();
      const reported = [request(), request()];
      connection.send(headers(1, status(wrong)), headers(3, status(201)));
      await settled();
      expect(reported.map((one) => one.reported.join())).toEqual(['unknown PROTOCOL_ERROR', '201,end']);
    },
  );

  it('holds a bounded amount of unread answers', async () => {
    const { socket, connection, session, request, over, settled } = await startSession(
      {},
      Buffer.concat([settings(setting.initialWindowSize, MAX_WINDOW), windowUpdate(0, MAX_WINDOW - 65_535)]),
    );
    await settled();
    connection.socket.pause();
    const exchanges = [];
    let most = 0;
    while (session.free() > 0) {
      exchanges.push(request('x'.repeat(200_000)));
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, socket.writableLength);
    }
    expect(over).toEqual(['READS_NOTHING']);
    for (const { reported } of exchanges)
      expect(reported.join()).toMatch(/^(unknown|refused) READS_NOTHING$/);
    expect(most).toBeLessThan(5_000_000);
    await until(() => socket.destroyed);
  });
});

describe.each(pushTransports)('a push client whose peer breaks the protocol, %s', (pushTransport) => {
  it.each(Object.entries(offences))(
    'ends its message once at %s, never as refused, and sends the next one',
    async (_, [bytes]) => {
      let isHostile = true;
      const peer = await startRawPeer(
        (connection) => connection.send(settings()),
        (connection, { type, id }) => {
          if (type !== frameType.data) return;
          connection.send(...(isHostile ? [bytes] : []), headers(id, status(201)));
          // Some of it one client may overlook: then the connection ends all the same.
          if (isHostile) connection.socket.end();
          isHostile = false;
        },
      );
      onTestFinished(peer.close);
      const { post, reported, all } = startClient(peer.ca, { pushTransport, connectionsPerOrigin: 1 });
      post(peer.origin);
      await all();
      expect(reported[0]).toHaveLength(1);
      expect(reported[0]?.[0]).toMatch(pushTransport === 'own' ? /^unknown / : /^(unknown |201$)/);
      await until(() => peer.connections[0]?.isClosed() === true);
      post(peer.origin);
      await all();
      // A host that floods is left alone by our own: then its messages go by undici.
      expect(reported[1]).toEqual(['201']);
    },
  );
});
