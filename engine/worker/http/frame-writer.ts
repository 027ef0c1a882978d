import { FRAME_HEADER_BYTES } from './protocol.ts';

/** Holds a turn of the event loop: 16 messages of the usual size. */
const BUFFER_BYTES = 65_536;
/** Buffers that wait to be used again. */
const MAX_SPARE = 4;

/**
 * Gathers the frames of one turn in one buffer, and hands it over in one write: a TLS record and a system call
 * for each frame would cost more than all else a message takes.
 */
export interface FrameWriter {
  /** Writes the frame's header and makes room. @returns the buffer and where its payload begins. */
  frame(type: number, flags: number, streamId: number, payloadBytes: number): WritePosition;
  /**
   * A frame whose payload is at most `maxPayloadBytes`.
   * @param write fills `target` from `at` on. @returns where the payload ends.
   */
  frameOf(
    type: number,
    flags: number,
    streamId: number,
    maxPayloadBytes: number,
    write: (target: Buffer, at: number) => number,
  ): void;
}

export interface WritePosition {
  readonly target: Buffer;
  readonly at: number;
}

/** @param send takes bytes to the socket; calls `done` when the buffer may be used again. */
export function createFrameWriter(send: (bytes: Buffer, done: () => void) => void): FrameWriter {
  const spare: Buffer[] = [];
  let buffer: Buffer | null = null;
  let length = 0;

  function flush(): void {
    if (buffer === null) return;
    const sent = buffer;
    const bytes = sent.subarray(0, length);
    buffer = null;
    length = 0;
    send(bytes, () => {
      if (sent.length === BUFFER_BYTES && spare.length < MAX_SPARE) spare.push(sent);
    });
  }

  function room(bytes: number): Buffer {
    if (buffer !== null && length + bytes > buffer.length) flush();
    if (buffer === null) {
      const isUsual = bytes <= BUFFER_BYTES;
      buffer = (isUsual ? spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(Math.max(bytes, BUFFER_BYTES));
      // Runs after everything that this turn of the event loop writes.
      queueMicrotask(flush);
    }
    return buffer;
  }

  return {
    frame(type, flags, streamId, payloadBytes) {
      const target = room(FRAME_HEADER_BYTES + payloadBytes);
      const at = length;
      writeHeader(target, at, type, flags, streamId, payloadBytes);
      length += FRAME_HEADER_BYTES + payloadBytes;
      return { target, at: at + FRAME_HEADER_BYTES };
    },
    frameOf(type, flags, streamId, maxPayloadBytes, write) {
      const target = room(FRAME_HEADER_BYTES + maxPayloadBytes);
      const at = length;
      const end = write(target, at + FRAME_HEADER_BYTES);
      writeHeader(target, at, type, flags, streamId, end - at - FRAME_HEADER_BYTES);
      length = end;
    },
  };
}

function writeHeader(
  target: Buffer,
  at: number,
  type: number,
  flags: number,
  streamId: number,
  bytes: number,
): void {
  target[at] = bytes >>> 16;
  target[at + 1] = bytes >>> 8;
  target[at + 2] = bytes;
  target[at + 3] = type;
  target[at + 4] = flags;
  target[at + 5] = streamId >>> 24;
  target[at + 6] = streamId >>> 16;
  target[at + 7] = streamId >>> 8;
  target[at + 8] = streamId;
}
