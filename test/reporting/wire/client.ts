import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client by hand, for what no driver sends. */

export function message(tag: string, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length + 4);
  return Buffer.concat([Buffer.from(tag, 'latin1'), length, bytes]);
}

export const startup = (more = ''): Buffer =>
  message(
    '',
    Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(`user\0reports\0database\0broadside\0${more}\0`)]),
  );
export const password = (token: string): Buffer => message('p', `${token}\0`);
export const query = (sql: string): Buffer => message('Q', `${sql}\0`);
export const sync = message('S');
/** Of a packet without a tag: 80877102 cancels, 80877103 asks for TLS, 80877104 for GSS. */
export function packet(...numbers: readonly number[]): Buffer {
  const body = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) body.writeInt32BE(number, index * 4);
  return message('', body);
}
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
export const parse = (name: string, sql: string): Buffer =>
  message('P', Buffer.concat([Buffer.from(`${name}\0${sql}\0`), int16(0)]));
export const bind = (portal: string, name: string): Buffer =>
  message('B', Buffer.concat([Buffer.from(`${portal}\0${name}\0`), int16(0), int16(0), int16(0)]));
export const execute = (portal: string, most = 0): Buffer => {
  const rows = Buffer.alloc(4);
  rows.writeInt32BE(most);
  return message('E', Buffer.concat([Buffer.from(`${portal}\0`), rows]));
};

/** Each byte that is not of a text as `·`: so does a test read what came. */
const readable = (text: string): string =>
  [...text].map((one) => ((one.codePointAt(0) ?? 0) < 32 ? '·' : one)).join('');

/** The end of the answer to a log-in or a statement, outside of a transaction. */
export const READY = /Z·{4}I$/;

export interface RawClient {
  readonly socket: Socket;
  /** As they came. */
  bytes(): Buffer;
  /** All that came, or what came until it matched. */
  until(pattern: RegExp): Promise<string>;
  /** How it ended: all that came. */
  ended(): Promise<string>;
}

export function rawClient(port: number, ...bytes: readonly Buffer[]): RawClient {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const pieces: Buffer[] = [];
  let onMore = (): void => {};
  const closed = once(socket, 'close');
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    text += readable(piece.toString('latin1'));
    onMore();
  });
  socket.on('error', () => {});
  socket.on('close', () => onMore());
  for (const piece of bytes) socket.write(piece);
  return {
    socket,
    bytes: () => Buffer.concat(pieces),
    until: async (pattern) => {
      while (!pattern.test(text)) {
        if (socket.destroyed) throw new Error(`the connection ended before ${pattern}: ${text}`);
        await new Promise<void>((resolve) => {
          onMore = resolve;
        });
      }
      return text;
    },
    ended: async () => {
      await closed;
      return text;
    },
  };
}
