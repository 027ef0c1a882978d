import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { FieldReader, type Frame, type FrameKind, MAX_MESSAGE_BYTES, takeFrame } from './frames.ts';
import { WireError } from './wire-error.ts';

/** The bytes of one client: whole messages in, bytes out at its pace. */
export interface Connection {
  /** Null: the client is gone. @throws WireError where its bytes are not a message. */
  next(kind: FrameKind): Promise<Frame | null>;
  write(bytes: Buffer): Promise<void>;
  /** Goes on encrypted. */
  encrypt(context: SecureContext): Promise<void>;
  readonly isEncrypted: boolean;
  /** The rest is sent first, for a moment. */
  end(last?: Buffer): void;
  destroy(): void;
}

/** What is read ahead: the rest stays with the network. */
const READ_AHEAD_BYTES = MAX_MESSAGE_BYTES * 2;
const END_MS = 2_000;
/** A client that takes nothing for this long is gone. */
export const WRITE_MS = 60_000;

/** @param onGone called once, also while a statement runs. */
export function createConnection(first: Socket, onGone: () => void): Connection {
  let socket: Socket = first;
  let bytes: Buffer = Buffer.alloc(0);
  let isGone = false;
  let wake = (): void => {};
  /** Called when the client took what was written, or is gone. */
  let drained = (): void => {};

  const release = (): void => {
    const waiting = drained;
    drained = () => {};
    waiting();
  };
  const gone = (): void => {
    if (isGone) return;
    isGone = true;
    wake();
    onGone();
    release();
  };
  const onData = (piece: Buffer): void => {
    bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece]);
    if (bytes.length > READ_AHEAD_BYTES) socket.pause();
    wake();
  };
  /** Small messages that are written in one turn leave as one. */
  function gather(): void {
    if (socket.writableCorked > 0) return;
    const own = socket;
    own.cork();
    process.nextTick(() => own.uncork());
  }
  const listen = (): void => {
    socket.on('data', onData);
    socket.on('drain', release);
    socket.on('end', gone);
    socket.on('close', gone);
    socket.on('error', gone);
  };
  first.setNoDelay(true);
  first.setKeepAlive(true, 60_000);
  listen();

  return {
    get isEncrypted() {
      return socket instanceof TLSSocket;
    },
    next: async (kind) => {
      for (;;) {
        const taken = takeFrame(bytes, kind);
        if (taken !== null) {
          bytes = taken.rest;
          if (bytes.length <= READ_AHEAD_BYTES) socket.resume();
          return taken.frame;
        }
        if (isGone) return null;
        socket.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    write: async (piece) => {
      gather();
      if (isGone || socket.write(piece)) return;
      const late = setTimeout(() => socket.destroy(), WRITE_MS);
      await new Promise<void>((resolve) => {
        const others = drained;
        drained = () => {
          others();
          resolve();
        };
      });
      clearTimeout(late);
    },
    encrypt: async (context) => {
      // Bytes sent before the handshake could be somebody else's, put in front of the client's own.
      if (bytes.length > 0) throw new WireError('08P01', 'bytes came before the encryption began');
      first.off('data', onData);
      const secure = new TLSSocket(first, { isServer: true, secureContext: context });
      socket = secure;
      secure.on('error', gone);
      first.on('close', gone);
      await Promise.race([once(secure, 'secure'), once(first, 'close')]).catch(gone);
      listen();
    },
    end: (last) => {
      if (last === undefined) socket.end();
      else socket.end(last);
      setTimeout(() => socket.destroy(), END_MS).unref();
    },
    destroy: () => socket.destroy(),
  };
}

/** The first packet of a client. */
export type Startup =
  | { readonly kind: 'encrypt' | 'gss' }
  | { readonly kind: 'cancel'; readonly pid: number; readonly secret: number }
  | {
      readonly kind: 'log-in';
      readonly minor: number;
      readonly parameters: Readonly<Record<string, string>>;
    };

const CANCEL = 80_877_102;
const ENCRYPT = 80_877_103;
const GSS = 80_877_104;
const MAX_PARAMETERS = 50;

/** @throws WireError where it is malformed. */
export function readStartup({ body }: Frame): Startup {
  const reader = new FieldReader(body);
  const code = reader.int32();
  if (code === ENCRYPT) return { kind: 'encrypt' };
  if (code === GSS) return { kind: 'gss' };
  if (code === CANCEL) return { kind: 'cancel', pid: reader.int32(), secret: reader.int32() };
  const major = code >> 16;
  if (major !== 3)
    throw new WireError('0A000', `protocol ${major}.${code & 0xff_ff} is not supported: 3.0 is`);
  const parameters: [string, string][] = [];
  for (let name = reader.text(); name !== ''; name = reader.text()) {
    parameters.push([name, reader.text()]);
    if (parameters.length > MAX_PARAMETERS) throw new WireError('08P01', 'too many parameters');
  }
  return { kind: 'log-in', minor: code & 0xff_ff, parameters: Object.fromEntries(parameters) };
}
