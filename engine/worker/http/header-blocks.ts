import { type Frame, withoutPadding } from './frame-reader.ts';
import { flag, Http2Error } from './protocol.ts';

/** No answer's headers are longer: the connection ends before it holds more. */
const MAX_BLOCK_BYTES = 65_536;
/** Empty frames of one block: they would never fill it. */
const MAX_EMPTY = 64;
/** Parts that are joined at once, so that a block of single bytes is not held as many buffers. */
const MAX_PARTS = 64;
const PRIORITY_BYTES = 5;

/** Joins HEADERS with the CONTINUATION frames after it (RFC 9113 section 4.3). */
export interface HeaderBlocks {
  begin(frame: Frame): void;
  continue(frame: Frame): void;
  /** Nothing but its continuation may come now. */
  isOpen(): boolean;
}

export function createHeaderBlocks(
  onBlock: (streamId: number, endsStream: boolean, block: Buffer) => void,
): HeaderBlocks {
  let open: { streamId: number; endsStream: boolean; parts: Buffer[]; bytes: number; empty: number } | null =
    null;

  return {
    isOpen: () => open !== null,
    begin({ streamId, flags, payload }) {
      const endsStream = (flags & flag.endStream) !== 0;
      let block = (flags & flag.padded) === 0 ? payload : withoutPadding(payload);
      if ((flags & flag.priority) !== 0) {
        if (block.length < PRIORITY_BYTES) throw new Http2Error('FRAME_SIZE_ERROR', 'HEADERS');
        block = block.subarray(PRIORITY_BYTES);
      }
      if ((flags & flag.endHeaders) !== 0) return onBlock(streamId, endsStream, block);
      open = { streamId, endsStream, parts: [Buffer.from(block)], bytes: block.length, empty: 0 };
    },
    continue({ streamId, flags, payload }) {
      if (open === null || open.streamId !== streamId) {
        throw new Http2Error('PROTOCOL_ERROR', 'a continuation of nothing');
      }
      open.bytes += payload.length;
      if (payload.length === 0) open.empty++;
      if (open.bytes > MAX_BLOCK_BYTES || open.empty > MAX_EMPTY) {
        throw new Http2Error('ENHANCE_YOUR_CALM', 'headers without an end');
      }
      if (open.parts.length >= MAX_PARTS) open.parts = [Buffer.concat(open.parts)];
      open.parts.push(Buffer.from(payload));
      if ((flags & flag.endHeaders) === 0) return;
      const { endsStream, parts } = open;
      open = null;
      onBlock(streamId, endsStream, Buffer.concat(parts));
    },
  };
}
