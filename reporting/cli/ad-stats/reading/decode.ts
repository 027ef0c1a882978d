import { CliError } from '../../../../engine/kit/command-line/endings.ts';

export type Utf16 = 'utf-16le' | 'utf-16be';

const MARK = 0xfeff;

/** By its mark; without one, text of two bytes a character is refused rather than guessed. */
export function utf16Of(head: Buffer): Utf16 | null {
  if (head.length < 2) return null;
  if (head.readUInt16LE(0) === MARK) return 'utf-16le';
  if (head.readUInt16BE(0) === MARK) return 'utf-16be';
  return null;
}

/** The first bytes of files that are not text, and how each is imported. */
const others: readonly (readonly [magic: string, mend: string])[] = [
  ['1f8b', 'is packed with gzip: add .gz to its name'],
  ['28b52ffd', 'is packed with Zstandard: add .zst to its name'],
  ['504b0304', 'is an archive or a spreadsheet: give it a name that ends with .zip or .xlsx'],
  ['50415231', 'is Parquet: give it a name that ends with .parquet'],
  ['d0cf11e0', 'is a spreadsheet of an old form: save it as .xlsx'],
  ['25504446', 'is a PDF: export it as CSV'],
];

/** @throws CliError where it is another file than its name says. */
export function refuseOther(head: Buffer): void {
  const start = head.toString('hex', 0, 4);
  const mend = others.find(([magic]) => start.startsWith(magic))?.[1];
  if (mend !== undefined) throw new CliError(`it ${mend}`);
  if (/^\s*<(?:!doctype|html|\?xml|table|head|meta)\b/i.test(head.toString('latin1', 0, 256)))
    throw new CliError(
      'it is a page of the web (HTML or XML), perhaps a log-in or a message in place of the report: export it again as CSV or .xlsx',
    );
}

/** Latin text in UTF-16 has a zero in every second byte. */
export function refuseUnmarked(head: Buffer): void {
  const start = head.subarray(0, 64);
  const zeros = [0, 1].map((odd) => start.filter((byte, at) => byte === 0 && at % 2 === odd).length);
  if (start.length < 8 || Math.max(...zeros) < start.length / 4) return;
  throw new CliError(
    'the file seems to be UTF-16 without its mark: save it with one or as UTF-8, or add --encoding ' +
      ((zeros[1] ?? 0) > (zeros[0] ?? 0) ? 'utf-16le' : 'utf-16be'),
  );
}

/** A byte that is in no text of UTF-8: the record that holds it is set aside. */
const NO_TEXT = Buffer.from([0xff]);

/** UTF-16 as UTF-8; half a character becomes no text, and is not replaced by another one. */
export async function* fromUtf16(bytes: AsyncIterable<Buffer>, encoding: Utf16): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of bytes) {
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let end = all.length - (all.length % 2);
    // Not between the halves of a pair.
    if (end >= 2 && isHighHalf(all, end - 2, encoding)) end -= 2;
    held = Buffer.from(all.subarray(end));
    let text = textOf(all.subarray(0, end), encoding);
    if (isFirst && text.length > 0) {
      if (text.charCodeAt(0) === MARK) text = text.slice(1);
      isFirst = false;
    }
    if (text.length > 0) yield bytesOf(text);
  }
  if (held.length > 0) yield NO_TEXT;
}

const isHighHalf = (bytes: Buffer, at: number, encoding: Utf16): boolean => {
  const unit = encoding === 'utf-16le' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  return unit >= 0xd800 && unit < 0xdc00;
};

function textOf(bytes: Buffer, encoding: Utf16): string {
  // A copy: swapping is done in place, and the file's hash is of these bytes.
  return (encoding === 'utf-16le' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
}

function bytesOf(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const parts = text.split(/\p{Surrogate}/u).map((part) => Buffer.from(part));
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [NO_TEXT, part])));
}
