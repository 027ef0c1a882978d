import { type Bitmap, emptyBitmap, setBit } from '../contract/bitmap.ts';

const HEADER_BYTES = 19;
const TRAILER = -1;

/**
 * Which targets a binary COPY of a block holds, read without decoding the rest of them. The first field of
 * each row must be `seq` as int4. Format: Postgres documentation, COPY, "Binary Format".
 */
export function copiedSeqs(copy: Uint8Array): Bitmap {
  const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
  const map = emptyBitmap();
  let at = HEADER_BYTES;
  for (;;) {
    const fields = view.getInt16(at);
    if (fields === TRAILER) return map;
    at += 2;
    setBit(map, view.getInt32(at + 4));
    for (let field = 0; field < fields; field++) at += 4 + Math.max(0, view.getInt32(at));
  }
}
