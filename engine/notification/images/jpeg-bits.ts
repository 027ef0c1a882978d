/** The codes of one Huffman table, by their lengths (ITU-T T.81, annexes C and F.2.2.3). */
export interface Codes {
  /** By the next 16 bits: length << 8 | symbol; 0 where no code begins so. */
  readonly byBits: Uint16Array;
}

const LONGEST = 16;

/** @returns null where the table names more codes than there are. */
export function codesOf(counts: Buffer, symbols: Buffer): Codes | null {
  const byBits = new Uint16Array(1 << LONGEST);
  let [code, at] = [0, 0];
  for (let length = 1; length <= LONGEST; length++) {
    for (let left = counts[length - 1] ?? 0; left > 0; left--) {
      const first = code << (LONGEST - length);
      const behind = first + (1 << (LONGEST - length));
      if (behind > byBits.length) return null;
      byBits.fill((length << 8) | (symbols[at++] ?? 0), first, behind);
      code++;
    }
    code <<= 1;
  }
  return { byBits };
}

/** What is missing was cut off. */
export class Cut extends Error {}

/** Reads the bits of a scan, without the zero bytes that are stuffed behind each 0xff (T.81, F.1.2.3). */
export class BitReader {
  private at = 0;
  private held = 0;
  private count = 0;
  private readonly coded: Buffer;

  constructor(coded: Buffer) {
    this.coded = coded;
  }

  /** At most 16. */
  bits(wanted: number): number {
    this.fill(wanted);
    if (this.count < wanted) throw new Cut();
    this.count -= wanted;
    return (this.held >>> this.count) & ((1 << wanted) - 1);
  }

  symbol({ byBits }: Codes): number {
    this.fill(LONGEST);
    const next =
      this.count >= LONGEST ? this.held >>> (this.count - LONGEST) : this.held << (LONGEST - this.count);
    const found = byBits[next & 0xffff] ?? 0;
    const length = found >> 8;
    if (length === 0 || length > this.count) throw new Cut();
    this.count -= length;
    return found & 0xff;
  }

  /** Behind the last bit of an interval stands the marker of the next one. */
  restart(): void {
    this.count = 0;
    while (this.at + 1 < this.coded.length) {
      const isMarker = this.coded[this.at] === 0xff && ((this.coded[this.at + 1] ?? 0) & 0xf8) === 0xd0;
      this.at += isMarker ? 2 : 1;
      if (isMarker) return;
    }
    throw new Cut();
  }

  private fill(wanted: number): void {
    while (this.count < wanted) {
      const byte = this.coded[this.at];
      if (byte === undefined) return;
      if (byte === 0xff) {
        // A marker of a restart: the interval ends here.
        if (this.coded[this.at + 1] !== 0) return;
        this.at++;
      }
      this.at++;
      this.held = ((this.held << 8) | byte) >>> 0;
      this.count += 8;
    }
  }
}
