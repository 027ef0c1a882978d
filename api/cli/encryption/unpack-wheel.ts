import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { type Kept, VERSION, type Wheel } from '../../../engine/kit/fast-library/files.ts';

/**
 * The files that are kept of a wheel, under their own names: no name in the archive chooses where anything goes,
 * and none unpacks to more than is known of it.
 * @param path a wheel whose digest was checked.
 * @returns the names of the files, in the folder.
 */
export async function unpackWheel(wheel: Wheel, path: string, into: string): Promise<string[]> {
  const wanted = entriesOf(wheel);
  const zip = await yauzl.openPromise(path, { autoClose: false });
  const done: string[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const kept = wanted.get(entry.fileName);
      if (kept === undefined) continue;
      const stream = await zip.openReadStreamPromise(entry);
      await pipeline(stream, exactly(kept), createWriteStream(join(into, kept.name), { mode: 0o600 }));
      done.push(kept.name);
    }
  } finally {
    zip.close();
  }
  if (done.length !== wanted.size)
    throw new CliError(`${wheel.package} has not all of the files that it should have`);
  return done;
}

/** A wheel is a zip whose folders are called after its package and version. */
function entriesOf(wheel: Wheel): Map<string, Kept> {
  const stem = `${wheel.package.replaceAll('-', '_')}-${VERSION}`;
  return new Map([
    [`${stem}.dist-info/LICENSE.txt`, wheel.licenceText],
    ...wheel.files.map((file) => [`${stem}.data/data/lib/${file.name}`, file] as const),
  ]);
}

/** Passes a file on, and breaks where it is another one. */
const exactly = ({ name, bytes, sha256 }: Kept) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const digest = createHash('sha256');
    let count = 0;
    for await (const chunk of chunks) {
      count += chunk.length;
      if (count > bytes) break;
      digest.update(chunk);
      yield chunk;
    }
    if (count !== bytes || digest.digest('hex') !== sha256)
      throw new CliError(`${name} is not the file that it should be`);
  };
