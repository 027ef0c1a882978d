/**
 * The log refused records for what they are, and would again until somebody changes something. All others of the same
 * call are durable, except those that were not tried.
 */
export class RecordsRefused extends Error {
  /** Their places in the call, ascending. */
  readonly indexes: readonly number[];
  /** Places of those that have to come in another call, ascending: finding the refused ones took as many requests as one may. */
  readonly untried: readonly number[];

  /** @param cause of the first of them; its message says how to fix it. */
  constructor(indexes: readonly number[], cause: unknown, untried: readonly number[] = []) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'RecordsRefused';
    this.indexes = indexes;
    this.untried = untried;
  }
}

/**
 * Of one call. More than find one refused record among those of the largest call, so that each call brings the next one
 * further; few enough that a transaction around it stays open, also where the brokers are far away.
 */
const MOST_REQUESTS = 48;

/**
 * Publishes records together, and where that is refused for what one of them is, in halves, until those are known that
 * are refused by themselves. Records of a part that was refused may have been stored: they come twice then.
 * @param isOfRecords whether an error means that; any other ends the call.
 * @returns whether parts had to be made. @throws RecordsRefused where any is.
 */
export async function publishApart<Each>(
  records: readonly Each[],
  publish: (part: readonly Each[]) => Promise<void>,
  isOfRecords: (error: unknown) => boolean,
): Promise<'whole' | 'parts'> {
  const refused: number[] = [];
  const untried: number[] = [];
  let ofPart: unknown = null;
  let ofOne: unknown = null;
  let requests = 0;

  async function send(from: number, end: number): Promise<void> {
    if (requests === MOST_REQUESTS) {
      for (let index = from; index < end; index++) untried.push(index);
      return;
    }
    try {
      requests++;
      await publish(records.slice(from, end));
    } catch (error) {
      if (!isOfRecords(error)) throw error;
      if (end - from === 1) {
        refused.push(from);
        ofOne ??= error;
        return;
      }
      ofPart ??= error;
      const middle = Math.floor((from + end) / 2);
      await send(from, middle);
      await send(middle, end);
    }
  }

  await send(0, records.length);
  if (refused.length + untried.length > 0) throw new RecordsRefused(refused, ofOne ?? ofPart, untried);
  return requests === 1 ? 'whole' : 'parts';
}
