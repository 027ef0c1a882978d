import { createHeaderDecoder } from '../../../engine/worker/hpack/decoder.ts';
import { codeOfError, flag, frameType, MAX_WINDOW, setting } from '../../../engine/worker/http/protocol.ts';
import { createRandom } from './random-peer.ts';
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

/**
 * What a peer does with a message; `early` before it has read the body. It keeps to the protocol: where one message
 * breaks it, undici's connection ends for all of them and our own for that one, as RFC 9113 section 5.4 leaves open.
 */
const fates = [
  'accept',
  'accept after an interim answer',
  'accept in two frames',
  'refuse with a reason',
  'throttle',
  'answer without a body',
  'answer early',
  'deny',
  'deny early',
  'break',
  'break early',
  'cancel',
  'break after the status',
  'break in the body',
] as const;
export type Fate = (typeof fates)[number];

export interface FatedPeer {
  readonly seed: number;
  readonly maxStreams: number;
  readonly initialWindow: number;
  /** Share of 1,000 of the messages after which the peer says goodbye to their connection. */
  readonly goodbyes: number;
  /** Of the messages, those that the peer accepts; the others have any fate. */
  readonly accepts: number;
}

/**
 * A peer that decides by its seed, a message's path and which attempt at it this is, and by nothing else: two clients
 * that do as they should see the same, in whatever order and time their frames come.
 */
export async function startFatedPeer(given: FatedPeer) {
  const attempts = new Map<string, number>();
  /** Paths whose body it read to the end, each time. */
  const read: string[] = [];
  const fatesOf = new Map<string, Fate[]>();

  function decide(path: string): { fate: Fate; isLast: boolean } {
    const attempt = (attempts.get(path) ?? 0) + 1;
    attempts.set(path, attempt);
    const random = createRandom(given.seed + Number(path.slice(1)) * 7_919 + attempt * 104_729);
    const isAccepted = random() * 1_000 < given.accepts;
    const fate = isAccepted ? 'accept' : (fates[Math.floor(random() * fates.length)] as Fate);
    fatesOf.set(path, [...(fatesOf.get(path) ?? []), fate]);
    return { fate, isLast: random() * 1_000 < given.goodbyes };
  }

  const takers = new WeakMap<RawConnection, (one: RawFrame) => void>();

  function greet(connection: RawConnection): void {
    const { send } = connection;
    const decoder = createHeaderDecoder({ maxTableBytes: 4_096, maxListBytes: 100_000 });
    const streams = new Map<number, { path: string; fate: Fate; isLast: boolean }>();
    let topId = 0;
    let lastId = MAX_WINDOW;

    function end(id: number, isLast: boolean, ...frames: readonly Buffer[]): void {
      streams.delete(id);
      send(...frames);
      if (!isLast || lastId !== MAX_WINDOW) return;
      lastId = topId;
      send(goAway(lastId));
    }

    takers.set(connection, ({ type, flags, id, payload }) => {
      if (type === frameType.resetStream) streams.delete(id);
      if (type === frameType.headers) {
        topId = Math.max(topId, id);
        let path = '';
        decoder.decode(payload, (name, value) => {
          if (name === ':path') path = value;
        });
        if (id > lastId) return;
        const { fate, isLast } = decide(path);
        streams.set(id, { path, fate, isLast });
        if (fate.endsWith('early')) end(id, isLast, ...answersOf(fate, id));
      } else if (type === frameType.data) {
        if (payload.length > 0) send(windowUpdate(0, payload.length));
        const stream = streams.get(id);
        if (stream === undefined) return;
        if ((flags & flag.endStream) === 0) {
          if (payload.length > 0) send(windowUpdate(id, payload.length));
          return;
        }
        read.push(stream.path);
        end(id, stream.isLast, ...answersOf(stream.fate, id));
      }
    });
    send(
      settings(
        setting.maxConcurrentStreams,
        given.maxStreams,
        setting.initialWindowSize,
        given.initialWindow,
      ),
    );
  }

  const peer = await startRawPeer(greet, (connection, one) => takers.get(connection)?.(one));
  return { ...peer, read, fatesOf };
}

function answersOf(fate: Fate, id: number): Buffer[] {
  switch (fate) {
    case 'accept':
      return [headers(id, status(201))];
    case 'accept after an interim answer':
      return [headers(id, status(103), false), headers(id, indexed(':status', '200'))];
    case 'accept in two frames':
      return [
        frame(frameType.headers, flag.endStream, id, status(202).subarray(0, 3)),
        frame(frameType.continuation, flag.endHeaders, id, status(202).subarray(3)),
      ];
    case 'refuse with a reason':
      return [headers(id, status(400), false), data(id, 'w', false), data(id, 'hy')];
    case 'throttle':
      return [headers(id, Buffer.concat([status(429), literal('retry-after', '9')]), false), data(id, '')];
    case 'answer without a body':
      return [headers(id, status(410))];
    case 'answer early':
      return [headers(id, status(413)), reset(id, codeOfError('NO_ERROR'))];
    case 'deny':
    case 'deny early':
      return [reset(id, codeOfError('REFUSED_STREAM'))];
    case 'break':
    case 'break early':
      return [reset(id, codeOfError('INTERNAL_ERROR'))];
    case 'cancel':
      return [reset(id, codeOfError('CANCEL'))];
    case 'break after the status':
      return [headers(id, status(500), false), reset(id, codeOfError('INTERNAL_ERROR'))];
    case 'break in the body':
      return [headers(id, status(403), false), data(id, 'half', false), reset(id, codeOfError('CANCEL'))];
  }
}
