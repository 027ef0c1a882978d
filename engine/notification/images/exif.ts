const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;
const AS_IT_IS = 1;
const MOST = 8;

/**
 * How a picture is to be turned, by Exif's block of TIFF tags (Exif 3.0, 4.6.5.1.6): the one thing there that browsers
 * show. 1, as it is, where nothing says otherwise.
 */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 10 || (order !== 'II' && order !== 'MM')) return AS_IT_IS;
  const little = order === 'II';
  const short = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return AS_IT_IS;
  const end = Math.min(first + 2 + short(first) * ENTRY_BYTES, tiff.length - ENTRY_BYTES + 1);
  for (let at = first + 2; at < end; at += ENTRY_BYTES) {
    if (short(at) !== ORIENTATION) continue;
    const turn = short(at + 8);
    return turn >= AS_IT_IS && turn <= MOST ? turn : AS_IT_IS;
  }
  return AS_IT_IS;
}

/** A block of tags that says this alone; null where nothing needs to be said. */
export function tiffOf(orientation: number): Buffer | null {
  if (orientation === AS_IT_IS) return null;
  const tiff = Buffer.from('4d4d002a00000008' + '0001' + '0112000300000001' + '00000000' + '00000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
