/** How much of a file is seen before it is read. */
const HEAD_BYTES = 262_144;

/** The beginning of bytes, and all of them. */
export interface Peeked {
  readonly head: Buffer;
  /** Whether the head is everything. */
  readonly isWhole: boolean;
  readonly bytes: AsyncIterable<Buffer>;
}

export async function peek(
  bytes: AsyncIterable<Uint8Array>,
  size = HEAD_BYTES,
  isEnough = (_chunk: Buffer): boolean => false,
): Promise<Peeked> {
  const iterator = bytes[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let length = 0;
  let isWhole = false;
  while (length < size) {
    const { value, done } = await iterator.next();
    if (done === true) {
      isWhole = true;
      break;
    }
    const chunk: Buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    chunks.push(chunk);
    length += chunk.length;
    if (isEnough(chunk)) break;
  }
  return { head: Buffer.concat(chunks), isWhole, bytes: rejoined(chunks, iterator) };
}

async function* rejoined(chunks: readonly Buffer[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    for (;;) {
      const { value, done } = await rest.next();
      if (done === true) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    // Whoever stops before the end closes the file.
    await rest.return?.();
  }
}

const [LF, CR] = [0x0a, 0x0d];

/** Files of old spreadsheet programs end their lines with CR alone: where no LF is to be seen, all of them do. */
export const hasBareReturns = (head: Buffer): boolean => head.includes(CR) && !head.includes(LF);

/** With LF in place of each. */
export async function* withNewlines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    const copy = Buffer.from(chunk);
    for (let at = copy.indexOf(CR); at !== -1; at = copy.indexOf(CR, at + 1)) copy[at] = LF;
    yield copy;
  }
}

/** A text as it is, with line ends that are read here. */
export async function* withLineEnds(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  // A slow pipe is not waited for once its first line is there.
  const text = await peek(bytes, HEAD_BYTES, (chunk) => chunk.includes(LF));
  yield* hasBareReturns(text.head) ? withNewlines(text.bytes) : text.bytes;
}
