import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { frameType } from '../../../engine/worker/http/protocol.ts';
import { certificate } from '../support.ts';

/** One frame as it was on the wire. */
export interface RawFrame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
}

/** One connection as the peer sees it. It says and answers nothing by itself. */
export interface RawConnection {
  readonly socket: TLSSocket;
  /** Under it. */
  readonly tcp: Socket;
  /** All that came so far, in order. */
  readonly frames: RawFrame[];
  isClosed(): boolean;
  of(type: number): RawFrame[];
  send(...frames: readonly Buffer[]): void;
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** A peer that sends only the frames of its test: TLS on loopback, with ALPN h2. */
export async function startRawPeer(
  onConnection: (connection: RawConnection) => void = () => {},
  onFrame: (connection: RawConnection, frame: RawFrame) => void = () => {},
) {
  const { private: key, cert } = await certificate;
  const connections: RawConnection[] = [];
  const sockets: Socket[] = [];
  const server = createServer({ key, cert, ALPNProtocols: ['h2'] }, (socket) => {
    const connection = createConnection(
      socket,
      sockets.find(({ remotePort }) => remotePort === socket.remotePort) as Socket,
      onFrame,
    );
    connections.push(connection);
    onConnection(connection);
  });
  server.on('connection', (socket: Socket) => sockets.push(socket));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, origin: `https://localhost:${port}`, ca: cert, connections },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function createConnection(
  socket: TLSSocket,
  tcp: Socket,
  onFrame: (connection: RawConnection, frame: RawFrame) => void,
): RawConnection {
  const frames: RawFrame[] = [];
  let held = Buffer.alloc(0);
  let hasPreface = false;
  let closed = false;
  const connection: RawConnection = {
    ...{ socket, tcp, frames },
    isClosed: () => closed,
    of: (type) => frames.filter((one) => one.type === type),
    send: (...sent) => void (socket.writable && socket.write(Buffer.concat(sent))),
  };
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('end', () => {
    closed = true;
  });
  socket.on('close', () => {
    closed = true;
  });
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    if (!hasPreface) {
      if (held.length < PREFACE.length) return;
      if (held.toString('latin1', 0, PREFACE.length) !== PREFACE) throw new Error('no preface');
      hasPreface = true;
      held = held.subarray(PREFACE.length);
    }
    while (held.length >= 9 && held.length >= 9 + held.readUIntBE(0, 3)) {
      const end = 9 + held.readUIntBE(0, 3);
      const one = {
        ...{ type: held[3] as number, flags: held[4] as number, id: held.readUInt32BE(5) },
        payload: held.subarray(9, end),
      };
      held = held.subarray(end);
      frames.push(one);
      onFrame(connection, one);
    }
  });
  return connection;
}

export function frame(
  type: number,
  flags: number,
  id: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(id, 5);
  return Buffer.concat([header, payload]);
}

export const numbers = (...given: readonly number[]): Buffer => {
  const payload = Buffer.alloc(given.length * 4);
  given.forEach((number, at) => void payload.writeUInt32BE(number, at * 4));
  return payload;
};

/** @param given identifiers and values in turn. */
export function settings(...given: readonly number[]): Buffer {
  const payload = Buffer.alloc(given.length * 3);
  for (let at = 0; at < given.length; at += 2) {
    payload.writeUInt16BE(given[at] as number, at * 3);
    payload.writeUInt32BE(given[at + 1] as number, at * 3 + 2);
  }
  return frame(frameType.settings, 0, 0, payload);
}

/** A field with its name, neither Huffman coded nor put into the table. */
export const literal = (name: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);

/** As `literal`, and kept in the table of both. */
export const indexed = (name: string, value: string): Buffer => {
  const block = literal(name, value);
  block[0] = 0x40;
  return block;
};

export const status = (code: number | string): Buffer => literal(':status', String(code));

const END_HEADERS = 4;
/** HEADERS, the last frame of the stream unless said otherwise. */
export const headers = (id: number, block: Uint8Array, isLast = true): Buffer =>
  frame(frameType.headers, END_HEADERS | (isLast ? 1 : 0), id, block);
export const data = (id: number, text: string, isLast = true): Buffer =>
  frame(frameType.data, isLast ? 1 : 0, id, Buffer.from(text));
export const reset = (id: number, code: number): Buffer => frame(frameType.resetStream, 0, id, numbers(code));
export const goAway = (lastId: number, code = 0): Buffer =>
  frame(frameType.goAway, 0, 0, numbers(lastId, code));
export const windowUpdate = (id: number, bytes: number): Buffer =>
  frame(frameType.windowUpdate, 0, id, numbers(bytes));
