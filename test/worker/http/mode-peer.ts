import { createHeaderDecoder } from '../../../engine/worker/hpack/decoder.ts';
import { flag, frameType, MAX_WINDOW, setting } from '../../../engine/worker/http/protocol.ts';
import {
  goAway,
  headers,
  type RawConnection,
  type RawFrame,
  reset,
  settings,
  startRawPeer,
  status,
  windowUpdate,
} from './raw-peer.ts';

/** What a peer does, each part of it as an honest peer would unless said otherwise. */
export interface Mode {
  /** Its first frames; `null`: none before the first request. */
  readonly greeting?: readonly Buffer[] | null;
  /** Bytes of one write; 0: all at once. */
  readonly chunk?: number;
  /** How often it refuses each message before it takes it. */
  readonly refuses?: number;
  /** The number of messages of a connection after which it says goodbye; it takes those before. */
  readonly goodbyeAfter?: number;
  /** The last stream that it takes, as it says from the beginning. */
  readonly lastId?: number;
  /** The number of answers after which it closes the connection. */
  readonly closesAfter?: number;
  /** When a message's HEADERS came. */
  readonly atHeaders?: (id: number, count: number) => readonly Buffer[];
  /** When `bytes` of a body came. */
  readonly atBody?: (id: number, bytes: number) => readonly Buffer[];
  /** Once a message is there. */
  readonly answer?: (id: number, count: number) => readonly Buffer[];
}

export const accepted = (id: number): Buffer => headers(id, status(201));
const giveBack = (id: number, bytes: number): Buffer[] => [windowUpdate(0, bytes), windowUpdate(id, bytes)];

/** A peer of one mode, and the paths that it took, each time. */
export async function startModePeer(mode: Mode) {
  const { chunk = 0, refuses = 0, goodbyeAfter = MAX_WINDOW, closesAfter = MAX_WINDOW } = mode;
  const { atHeaders = () => [], atBody = giveBack, answer = (id: number) => [accepted(id)] } = mode;
  const greeting = mode.greeting === undefined ? [settings()] : mode.greeting;
  const taken: string[] = [];
  const refusals = new Map<string, number>();
  const readers = new WeakMap<RawConnection, (one: RawFrame) => void>();

  function greet(connection: RawConnection): void {
    const decoder = createHeaderDecoder({ maxTableBytes: 4_096, maxListBytes: 100_000 });
    const paths = new Map<number, string>();
    let count = 0;
    let answers = 0;
    let topId = 0;
    let lastId = mode.lastId ?? MAX_WINDOW;

    function send(frames: readonly Buffer[]): void {
      const bytes = Buffer.concat(frames);
      const step = chunk === 0 ? bytes.length : chunk;
      for (let at = 0; at < bytes.length; at += step) connection.send(bytes.subarray(at, at + step));
    }

    function begin(id: number, block: Buffer): void {
      let path = '';
      decoder.decode(block, (name, value) => {
        if (name === ':path') path = value;
      });
      topId = Math.max(topId, id);
      if (id > lastId) return;
      if (greeting === null && count === 0) send([settings()]);
      count++;
      const refused = refusals.get(path) ?? 0;
      refusals.set(path, refused + 1);
      if (refused < refuses) {
        send([reset(id, 7)]);
        return;
      }
      paths.set(id, path);
      send(atHeaders(id, count));
    }

    function end(id: number, path: string): void {
      paths.delete(id);
      taken.push(path);
      answers++;
      send(answer(id, answers));
      if (answers === goodbyeAfter) {
        lastId = topId;
        send([goAway(lastId)]);
      }
      if (answers === closesAfter) connection.socket.end();
    }

    readers.set(connection, ({ type, flags, id, payload }) => {
      if (type === frameType.headers) begin(id, payload);
      const path = paths.get(id);
      if (type === frameType.resetStream) paths.delete(id);
      if (type !== frameType.data) return;
      if (path === undefined) {
        if (payload.length > 0) send([windowUpdate(0, payload.length)]);
        return;
      }
      if ((flags & flag.endStream) !== 0) {
        if (payload.length > 0) send([windowUpdate(0, payload.length)]);
        end(id, path);
      } else if (payload.length > 0) send(atBody(id, payload.length));
    });
    if (greeting !== null) send(greeting);
  }

  const peer = await startRawPeer(greet, (connection, one) => readers.get(connection)?.(one));
  return { ...peer, taken };
}

export const windowsOf = (bytes: number): Buffer[] => [settings(setting.initialWindowSize, bytes)];
export const times = (count: number, ...frames: readonly Buffer[]): Buffer[] =>
  Array.from({ length: count }, () => frames).flat();
