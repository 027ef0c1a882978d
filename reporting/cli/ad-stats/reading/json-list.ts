import { CliError } from '../../../../engine/kit/command-line/endings.ts';

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
const [LF, SPACE] = [0x0a, 0x20];
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** A list of rows lies no deeper, as in `{"data": {"items": [`. */
const MAX_DEPTH = 4;

/** Whether the names of an object are those of a row. */
export type IsRow = (names: readonly string[]) => boolean;

/**
 * Where in a document of JSON its rows are: a list of objects, which may stand in an object beside other things, as
 * interfaces of networks answer. Of several, the first whose objects are rows. Null: it is an object a line.
 */
export function listStart(head: Buffer, isRow: IsRow): number | null {
  const starts = listStarts(head);
  return starts?.find((at) => isRow(firstNames(head.subarray(at + 1)))) ?? starts?.[0] ?? null;
}

/** Null: the first object of the document ends before there is a list. */
function listStarts(head: Buffer): number[] | null {
  let at = 0;
  while (at < head.length && isBlank(head[at] as number)) at++;
  if (head[at] === OPEN) return [at];
  const starts: number[] = [];
  let depth = 0;
  let isText = false;
  for (; at < head.length; at++) {
    const byte = head[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
      continue;
    }
    if (byte === QUOTE) isText = true;
    else if (byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_OBJECT) {
      depth--;
      if (depth === 0) return starts.length === 0 ? null : starts;
    } else if (byte === OPEN && depth <= MAX_DEPTH) {
      const next = head.subarray(at + 1, at + 1_000).find((each) => !isBlank(each));
      if (next === OPEN_OBJECT || next === CLOSE) starts.push(at);
    }
  }
  return starts;
}

/** Of the object that the bytes begin with; empty where it holds others. */
function firstNames(bytes: Buffer): readonly string[] {
  const end = bytes.indexOf(CLOSE_OBJECT);
  try {
    return Object.keys(JSON.parse(bytes.subarray(0, end + 1).toString()) as object);
  } catch {
    return [];
  }
}

/**
 * The list alone, without the object around it. What is before it becomes spaces, so that lines keep their numbers.
 * @throws CliError where a second list of rows follows: one of them would be lost.
 */
export async function* listAlone(
  bytes: AsyncIterable<Buffer>,
  start: number,
  isRow: IsRow,
): AsyncGenerator<Buffer> {
  const scan = createScan(isRow);
  let position = 0;
  for await (const chunk of bytes) {
    const from = Math.min(Math.max(start - position, 0), chunk.length);
    position += chunk.length;
    const wasOver = scan.isOver();
    const end = scan.endIn(chunk, from);
    if (wasOver) continue;
    const own = Buffer.from(chunk.subarray(0, end ?? chunk.length));
    for (let at = 0; at < from; at++) if (own[at] !== LF) own[at] = SPACE;
    yield own;
  }
}

/** Longest first object of another list that is read. */
const MAX_OTHER_BYTES = 65_536;

function createScan(isRow: IsRow) {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isOver = false;
  let before = 0;
  /** The first object of another list, as far as it is read. */
  let other: number[] | null = null;
  return {
    isOver: (): boolean => isOver,
    /** Where in the chunk the list ends; null: not in it. */
    endIn: (chunk: Buffer, from: number): number | null => {
      let end: number | null = null;
      for (let at = from; at < chunk.length; at++) {
        const byte = chunk[at] as number;
        if (other !== null && other.length < MAX_OTHER_BYTES) other.push(byte);
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isText = false;
          continue;
        }
        if (isBlank(byte)) continue;
        if (byte === QUOTE) isText = true;
        if (isOver && before === OPEN && byte === OPEN_OBJECT) other = [byte];
        if (other !== null && byte === CLOSE_OBJECT) {
          if (isRow(firstNames(Buffer.from(other))))
            throw new CliError('the file has several lists of rows: give one of them alone');
          other = null;
        }
        before = byte;
        if (isOver) continue;
        if (byte === OPEN || byte === OPEN_OBJECT) depth++;
        else if (byte === CLOSE || byte === CLOSE_OBJECT) depth--;
        if (depth !== 0 || isText) continue;
        isOver = true;
        end = at + 1;
      }
      return end;
    },
  };
}
