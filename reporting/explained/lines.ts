import type { Readable } from 'node:stream';

/** All rows of a small answer, as lines of JSON. */
export async function linesOf(rows: Readable): Promise<string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of rows) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}
