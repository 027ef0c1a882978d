import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import type { ImportRecord } from '../../../../engine/kit/command-line/file/records.ts';
import { type ColumnPlan, type ColumnRules, knownColumns, namedColumns, planColumns } from '../columns.ts';

/**
 * The records of a file that was put together from several, without the header of each and without lines of separators
 * alone. Their lines are added to `passedOver`.
 * @throws CliError where a later header has other columns: the rows below it would be read by the first one.
 */
export function withoutHeaders(
  records: readonly ImportRecord[],
  { names, plan }: { readonly names: readonly string[]; readonly plan: Pick<ColumnPlan, 'fields'> },
  rules: ColumnRules,
  passedOver: (lines: number) => void,
): ImportRecord[] {
  const fields = names.map((name) => plan.fields.get(name) ?? null);
  const at = fields.findIndex((field) => field === 'at' || field === 'hour');
  return records.filter((record) => {
    const cells = 'value' in record ? (record.value as readonly string[]) : null;
    // A day has a digit, and no name of its column has one.
    if (cells === null || /\d/.test(cells[at] ?? '')) return true;
    const isAgain = cells.every((cell) => cell.trim() === '') || isSameHeader(cells);
    if (isAgain) passedOver(record.lines);
    return !isAgain;

    function isSameHeader(own: readonly string[]): boolean {
      if (knownColumns(own, rules) < 2) return false;
      const later = planColumns(namedColumns(own), rules).fields;
      const isSame = namedColumns(own).every((name, index) => (later.get(name) ?? null) === fields[index]);
      if (isSame) return true;
      throw new CliError(
        `line ${record.line} is another header, with other columns than the first: make a file of each part, and import them together`,
      );
    }
  });
}

/** The mark of a file in UTF-8, at the start of a line. */
const MARK = Buffer.from([0x0a, 0xef, 0xbb, 0xbf]);

/** Files that were put together have the mark of each in the middle, and it is part of no value. */
export async function* withoutMarks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let from = 0;
    for (let found = all.indexOf(MARK); found !== -1; found = all.indexOf(MARK, from)) {
      yield all.subarray(from, found + 1);
      from = found + MARK.length;
    }
    // The rest of a mark may be in the next chunk.
    const cut = [3, 2, 1].find((length) =>
      all.subarray(from).subarray(-length).equals(MARK.subarray(0, length)),
    );
    const end = all.length - (cut ?? 0);
    held = Buffer.from(all.subarray(end));
    if (end > from) yield all.subarray(from, end);
  }
  if (held.length > 0) yield held;
}
