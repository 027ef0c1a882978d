import { FRAME_HEADER_BYTES, Http2Error, MAX_FRAME_BYTES } from './protocol.ts';

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  /** A view of the read buffer: copy anything you keep. */
  readonly payload: Buffer;
}

/**
 * Cuts the bytes of a socket into frames, and holds at most one incomplete frame.
 * @returns takes the next bytes. @throws Http2Error on a frame that is too long.
 */
export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  /** Bytes without which nothing can be read. */
  let needed = FRAME_HEADER_BYTES;

  return function read(chunk) {
    held += chunk.length;
    if (held < needed) {
      parts.push(chunk);
      return;
    }
    const bytes = parts.length === 0 ? chunk : Buffer.concat([...parts, chunk], held);
    parts = [];
    let at = 0;
    needed = FRAME_HEADER_BYTES;
    while (bytes.length - at >= FRAME_HEADER_BYTES) {
      const length = bytes.readUIntBE(at, 3);
      if (length > MAX_FRAME_BYTES) throw new Http2Error('FRAME_SIZE_ERROR', `a frame of ${length} bytes`);
      const end = at + FRAME_HEADER_BYTES + length;
      if (end > bytes.length) {
        needed = FRAME_HEADER_BYTES + length;
        break;
      }
      onFrame({
        type: bytes[at + 3] as number,
        flags: bytes[at + 4] as number,
        streamId: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
        payload: bytes.subarray(at + FRAME_HEADER_BYTES, end),
      });
      at = end;
    }
    held = bytes.length - at;
    if (held > 0) parts.push(bytes.subarray(at));
  };
}

/** Without its padding (RFC 9113 section 6.1). @throws Http2Error where there is more padding than frame. */
export function withoutPadding(payload: Buffer): Buffer {
  const padding = payload[0];
  if (padding === undefined || padding >= payload.length) {
    throw new Http2Error('PROTOCOL_ERROR', 'more padding than frame');
  }
  return payload.subarray(1, payload.length - padding);
}
