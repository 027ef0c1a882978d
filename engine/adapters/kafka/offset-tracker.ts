/**
 * Tracks which records of one fetched batch are done, in any order, and up to where the offset may be
 * committed: Kafka keeps one number per partition, so records done behind a gap wait for the gap.
 */
export interface OffsetTracker {
  markDone(offset: number): void;
  /** Everything below is done: the offset to commit. */
  committable(): number;
  isEmpty(): boolean;
  /** Done, but behind a gap: the broker does not know it. */
  doneBehindGap(): number[];
}

/**
 * @param offsets ascending; gaps between them (compacted or control records) need no work.
 * @param end one past the batch's last offset, filtered ones included.
 */
export function createOffsetTracker(offsets: readonly number[], end: number): OffsetTracker {
  const done = new Set<number>();
  let head = 0;
  return {
    markDone: (offset) => {
      done.add(offset);
      for (let next = offsets[head]; next !== undefined && done.delete(next); next = offsets[++head]);
    },
    committable: () => offsets[head] ?? end,
    isEmpty: () => head === offsets.length,
    doneBehindGap: () => [...done],
  };
}
