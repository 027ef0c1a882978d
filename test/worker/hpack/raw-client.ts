import { once } from 'node:events';
import { connect } from 'node:net';
import { createHeaderDecoder } from '../../../engine/worker/hpack/decoder.ts';
import { createHeaderEncoder } from '../../../engine/worker/hpack/encoder.ts';
import { decodeAll, encode, type Fields } from './support.ts';

/** Just enough of RFC 9113 to exchange header blocks with a real server, one request at a time. */
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const HEADER_BYTES = 9;
const [HEADERS, RST_STREAM, SETTINGS, GOAWAY] = [1, 3, 4, 7];
const [ACK, END_STREAM, END_HEADERS, PADDED_OR_PRIORITY] = [0x1, 0x1, 0x4, 0x28];
const HEADER_TABLE_SIZE = 1;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

function setting(id: number, value: number): Buffer {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(id, 0);
  payload.writeUInt32BE(value, 2);
  return payload;
}

/** @param tableBytes our SETTINGS_HEADER_TABLE_SIZE: of the server's encoder. */
export async function connectRaw(port: number, tableBytes: number) {
  const encoder = createHeaderEncoder();
  const decoder = createHeaderDecoder({ maxTableBytes: tableBytes, maxListBytes: 100_000 });
  const socket = connect(port, '127.0.0.1');
  const tableSizes: number[] = [];
  const blocks: Buffer[] = [];
  let unread = Buffer.alloc(0);
  let stream = -1;
  let waiting: PromiseWithResolvers<string[]> | null = null;
  const fail = (reason: string): void => waiting?.reject(new Error(reason));

  function takeSettings(payload: Buffer): void {
    for (let at = 0; at < payload.length; at += 6) {
      if (payload.readUInt16BE(at) !== HEADER_TABLE_SIZE) continue;
      tableSizes.push(payload.readUInt32BE(at + 2));
      encoder.setTableSize(payload.readUInt32BE(at + 2));
    }
    socket.write(frame(SETTINGS, ACK, 0, Buffer.alloc(0)));
  }

  function takeHeaders(flags: number, payload: Buffer): void {
    if ((flags & (END_HEADERS | PADDED_OR_PRIORITY)) !== END_HEADERS) fail(`HEADERS of ${flags}`);
    blocks.push(Buffer.from(payload));
    try {
      waiting?.resolve(decodeAll(decoder, payload));
    } catch (error) {
      waiting?.reject(error);
    }
  }

  function take(type: number, flags: number, payload: Buffer): void {
    if (type === SETTINGS && (flags & ACK) === 0) takeSettings(payload);
    else if (type === HEADERS) takeHeaders(flags, payload);
    else if (type === RST_STREAM) fail(`RST_STREAM ${payload.readUInt32BE(0)}`);
    else if (type === GOAWAY) fail(`GOAWAY ${payload.readUInt32BE(4)} ${payload.toString('latin1', 8)}`);
  }

  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + unread.readUIntBE(0, 3);
      if (unread.length < end) return;
      const [type, flags] = [unread[3] as number, unread[4] as number];
      take(type, flags, unread.subarray(HEADER_BYTES, end));
      unread = unread.subarray(end);
    }
  });
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail('the connection was closed'));
  await once(socket, 'connect');
  socket.write(PREFACE);
  socket.write(frame(SETTINGS, 0, 0, setting(HEADER_TABLE_SIZE, tableBytes)));

  return {
    /** The server's SETTINGS_HEADER_TABLE_SIZE, in the order they came. */
    tableSizes,
    /** Header blocks of the server. */
    blocks,
    /** @returns the response's fields. */
    request(path: string, fields: Fields): Promise<string[]> {
      stream += 2;
      waiting = Promise.withResolvers();
      socket.write(frame(HEADERS, END_STREAM | END_HEADERS, stream, encode(encoder, path, fields)));
      return waiting.promise;
    },
    async close(): Promise<void> {
      socket.destroy();
      await once(socket, 'close');
    },
  };
}
