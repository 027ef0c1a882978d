import { CliError } from '../../../../engine/kit/command-line/endings.ts';

/** Up to it, anything may be packed in a few bytes. */
const FREE_BYTES = 1024 ** 3;
/** Reports shrink to a tenth or a thirtieth. */
const MOST_TIMES = 200;

/**
 * Unpacked bytes, as long as they are no more than a report could hold.
 * @param counted what the same file has unpacked to before, for its parts together may be no more.
 * @throws CliError, from the bytes, where a small file goes on and on: it was made to fill a disk.
 */
export async function* withinReason(
  name: string,
  bytes: AsyncIterable<Buffer>,
  packedBytes: () => number,
  counted: { bytes: number } = { bytes: 0 },
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    counted.bytes += chunk.length;
    if (counted.bytes > FREE_BYTES && counted.bytes > packedBytes() * MOST_TIMES)
      throw new CliError(
        `${name} cannot be unpacked: it is more than ${MOST_TIMES} times as large as the archive says, and more than 1 GiB`,
      );
    yield chunk;
  }
}
