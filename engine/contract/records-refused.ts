/**
 * The log refused records for what they are, and would again until somebody changes something. All others of the same
 * call are durable.
 */
export class RecordsRefused extends Error {
  /** Their places in the call, ascending. */
  readonly indexes: readonly number[];

  /** @param cause of the first of them; its message says how to fix it. */
  constructor(indexes: readonly number[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'RecordsRefused';
    this.indexes = indexes;
  }
}

/** Of one call. */
const MOST_REFUSED = 16;

/**
 * Publishes records together, and where that is refused for what one of them is, in halves, until those are known that
 * are refused by themselves. Records of a part that was refused may have been stored: they come twice then. Where more than
 * a few are, it is the topic: the call ends with the error.
 * @param isOfRecords whether an error means that; any other ends the call.
 * @returns whether parts had to be made. @throws RecordsRefused where any is.
 */
export async function publishApart<Each>(
  records: readonly Each[],
  publish: (part: readonly Each[]) => Promise<void>,
  isOfRecords: (error: unknown) => boolean,
): Promise<'whole' | 'parts'> {
  const refused: number[] = [];
  let first: unknown = null;
  let parts = 0;

  async function send(from: number, end: number): Promise<void> {
    try {
      parts++;
      await publish(records.slice(from, end));
    } catch (error) {
      if (!isOfRecords(error)) throw error;
      if (refused.length === MOST_REFUSED) throw error;
      if (end - from === 1) {
        refused.push(from);
        first ??= error;
        return;
      }
      const middle = Math.floor((from + end) / 2);
      await send(from, middle);
      await send(middle, end);
    }
  }

  await send(0, records.length);
  if (refused.length > 0) throw new RecordsRefused(refused, first);
  return parts === 1 ? 'whole' : 'parts';
}
