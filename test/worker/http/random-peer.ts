import { createHeaderDecoder } from '../../../engine/worker/hpack/decoder.ts';
import { codeOfError, flag, frameType, MAX_WINDOW, setting } from '../../../engine/worker/http/protocol.ts';
import {
  data,
  frame,
  goAway,
  headers,
  indexed,
  literal,
  type RawConnection,
  type RawFrame,
  reset,
  settings,
  startRawPeer,
  status,
  windowUpdate,
} from './raw-peer.ts';

/** How a peer behaves; the rest is up to its seed. */
export interface Manners {
  readonly seed: number;
  readonly maxStreams: number;
  readonly initialWindow: number;
  /** Bytes of one write. */
  readonly chunk: number;
  /** Shares of 1,000. */
  readonly refuses: number;
  readonly goodbyes: number;
  readonly breaks: number;
  readonly silences: number;
}

interface Stream {
  readonly path: string;
  body: string;
  /** What the client may still send of the body. */
  window: number;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A peer that keeps to the protocol and to nothing else, and writes down what it took and what the client broke. */
export async function startRandomPeer(manners: Manners) {
  const random = createRandom(manners.seed);
  const happens = (share: number): boolean => random() * 1_000 < share;
  const upTo = (bound: number): number => Math.floor(random() * (bound + 1));
  /** Paths of messages that it handed on, whatever it said about them, each time. */
  const processed: string[] = [];
  const offences: string[] = [];
  const states = new WeakMap<RawConnection, (one: RawFrame) => void>();

  function greet(connection: RawConnection): void {
    const streams = new Map<number, Stream>();
    const decoder = createHeaderDecoder({ maxTableBytes: 4_096, maxListBytes: 100_000 });
    let { maxStreams, initialWindow } = manners;
    // What the client has acknowledged, oldest first: until then it may keep to the one before.
    let window = 65_535;
    let lastId = MAX_WINDOW;
    let topId = 0;
    let unacknowledged: (() => void)[] = [];

    function send(...frames: readonly Buffer[]): void {
      const bytes = Buffer.concat(frames);
      for (let at = 0; at < bytes.length; at += manners.chunk)
        connection.send(bytes.subarray(at, at + manners.chunk));
    }

    function sendSettings(): void {
      const [streamsNow, windowNow] = [maxStreams, initialWindow];
      const before = agreed;
      agreed = { maxStreams: streamsNow, initialWindow: windowNow };
      const change = windowNow - before.initialWindow;
      unacknowledged.push(() => {
        limit = streamsNow;
        openWindow = windowNow;
        for (const stream of streams.values()) stream.window += change;
      });
      send(settings(setting.maxConcurrentStreams, streamsNow, setting.initialWindowSize, windowNow));
    }
    let agreed = { maxStreams: 0, initialWindow: 65_535 };
    let limit = 0;
    let openWindow = 65_535;

    const mind = (isFine: boolean, what: string): void => void (isFine || offences.push(what));

    function openStream({ id, flags, payload }: RawFrame): void {
      mind((flags & flag.endHeaders) !== 0 && id > topId, `HEADERS ${id} ${flags}`);
      topId = id;
      let path = '';
      decoder.decode(payload, (name, value) => {
        if (name === ':path') path = value;
      });
      if (id > lastId) return;
      streams.set(id, { path, body: '', window: openWindow });
      mind(streams.size <= limit, `${streams.size} streams of ${limit}`);
      if (happens(manners.refuses)) refuse(id);
    }

    function refuse(id: number): void {
      streams.delete(id);
      send(reset(id, codeOfError('REFUSED_STREAM')));
    }

    function takeData({ id, flags, payload }: RawFrame): void {
      window -= payload.length;
      mind(window >= 0, 'the connection’s window');
      if (window < 20_000) widenConnection();
      const stream = streams.get(id);
      if (stream === undefined) return;
      stream.window -= payload.length;
      // A window that fell below zero takes nothing but an empty end.
      mind(stream.window >= 0 || payload.length === 0, `the window of ${id}: ${stream.window}`);
      stream.body += payload.toString();
      if ((flags & flag.endStream) === 0) return;
      if (happens(300)) decide(id, stream);
      else setTimeout(() => streams.get(id) === stream && decide(id, stream), upTo(20));
    }

    function widenConnection(): void {
      const bytes = 1 + upTo(40_000);
      window += bytes;
      send(windowUpdate(0, bytes));
    }

    function decide(id: number, { path, body }: Stream): void {
      mind(body.startsWith(`${path} `), `${path} with another body`);
      if (happens(manners.refuses)) {
        refuse(id);
        return;
      }
      processed.push(path);
      processedIds.add(id);
      streams.delete(id);
      if (happens(manners.silences)) return;
      if (happens(manners.breaks))
        return void (happens(500) ? connection.socket.destroy() : send(reset(id, 2)));
      answer(id);
      if (happens(manners.goodbyes)) sayGoodbye();
      if (happens(100)) changeSettings();
    }

    function answer(id: number): void {
      const kind = upTo(4);
      if (kind === 0) send(headers(id, status(201)));
      else if (kind === 1) send(headers(id, status(103), false), headers(id, indexed(':status', '200')));
      else if (kind === 2) send(headers(id, status(400), false), data(id, 'w', false), data(id, 'hy'));
      else if (kind === 3)
        send(headers(id, Buffer.concat([status(429), literal('retry-after', '9')]), false), data(id, ''));
      else {
        const block = indexed(':status', '202');
        send(frame(frameType.headers, flag.endStream, id, block.subarray(0, 3)));
        send(frame(frameType.continuation, flag.endHeaders, id, block.subarray(3)));
      }
    }

    function sayGoodbye(): void {
      if (lastId !== MAX_WINDOW) return;
      if (happens(500)) send(goAway(MAX_WINDOW));
      // It may have taken any of them but those that it gave up; their resets say which.
      lastId = topId - 2 * upTo(2);
      for (const id of processedIds) lastId = Math.max(lastId, id);
      send(goAway(lastId));
      for (const id of [...streams.keys()]) if (id > lastId) streams.delete(id);
    }
    const processedIds = new Set<number>();

    function changeSettings(): void {
      maxStreams = 1 + upTo(10);
      initialWindow = upTo(300);
      sendSettings();
    }

    states.set(connection, (one) => {
      if (one.type === frameType.headers) openStream(one);
      else if (one.type === frameType.data) takeData(one);
      else if (one.type === frameType.resetStream) streams.delete(one.id);
      else if (one.type === frameType.settings && (one.flags & flag.ack) !== 0) unacknowledged.shift()?.();
      else if (one.type === frameType.goAway) {
        const code = one.payload.readUInt32BE(4);
        mind(code === 0, `told of an error ${code}`);
      }
    });
    sendSettings();

    const pump = setInterval(() => {
      for (const [id, stream] of streams) {
        if (happens(300)) continue;
        const bytes = 1 + upTo(500);
        stream.window += bytes;
        send(windowUpdate(id, bytes));
      }
      if (happens(50)) send(frame(frameType.ping, 0, 0, Buffer.alloc(8)));
    }, 5);
    connection.socket.on('close', () => {
      clearInterval(pump);
      unacknowledged = [];
    });
  }

  const peer = await startRawPeer(greet, (connection, one) => states.get(connection)?.(one));
  return { ...peer, processed, offences };
}
