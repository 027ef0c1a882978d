import type { SpoolFile } from './spool-file.ts';

/** Bytes in the order in which they came, each either in memory or in a file. */
export interface Segments {
  inMemory(): number;
  isEmpty(): boolean;
  keep(bytes: Buffer): void;
  /** They are in the file now, from `at` on. */
  filed(at: number, length: number): void;
  /** The next ones, of those in the file at most `most`. Must not be empty. */
  take(file: SpoolFile | null, most: number): Promise<Buffer>;
  /** Pieces in memory no longer hold the larger buffers that they were a part of. */
  detach(): void;
  clear(): void;
}

type Segment = Buffer | { at: number; length: number };

export function createSegments(): Segments {
  let segments: Segment[] = [];
  let inMemory = 0;

  async function takeFiled(
    segment: Exclude<Segment, Buffer>,
    file: SpoolFile | null,
    most: number,
  ): Promise<Buffer> {
    if (file === null) throw new Error('bytes are in a file, and there is none');
    const length = Math.min(segment.length, most);
    const bytes = await file.read(segment.at, length);
    segment.at += length;
    segment.length -= length;
    if (segment.length === 0) segments.shift();
    return bytes;
  }

  return {
    inMemory: () => inMemory,
    isEmpty: () => segments.length === 0,
    keep: (bytes) => {
      segments.push(bytes);
      inMemory += bytes.length;
    },
    filed: (at, length) => {
      const last = segments.at(-1);
      if (last !== undefined && !Buffer.isBuffer(last) && last.at + last.length === at) last.length += length;
      else segments.push({ at, length });
    },
    take: async (file, most) => {
      const [first] = segments;
      if (first === undefined) throw new Error('there are no bytes');
      if (!Buffer.isBuffer(first)) return takeFiled(first, file, most);
      segments.shift();
      inMemory -= first.length;
      return first;
    },
    detach: () => {
      segments = segments.map((each) => (Buffer.isBuffer(each) ? Buffer.from(each) : each));
    },
    clear: () => {
      segments = [];
      inMemory = 0;
    },
  };
}
