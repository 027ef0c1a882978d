import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { Wheel } from '../../../engine/kit/fast-library/files.ts';

/**
 * What is checked is what will be unpacked: a copy of our own, of no more bytes than the wheel has.
 * @throws CliError where the file is none of the wheels.
 */
export async function copyWheel(
  wheels: readonly Wheel[],
  file: string,
  into: string,
): Promise<{ readonly wheel: Wheel; readonly path: string }> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`cannot read ${file} (${error.code})`);
  });
  const wheel = found.isFile() ? wheels.find(({ bytes }) => bytes === found.size) : undefined;
  if (wheel === undefined) throw another(wheels, file);
  const path = join(into, `${wheel.package}.whl`);
  const digest = createHash('sha256');
  await pipeline(
    createReadStream(file, { end: wheel.bytes - 1 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        digest.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  if (digest.digest('hex') !== wheel.sha256) throw another(wheels, file);
  return { wheel, path };
}

const another = (wheels: readonly Wheel[], file: string): CliError =>
  new CliError(`nothing was installed: ${file} is another file than this release of Broadside knows`, {
    more: wheels.map((wheel) => `  known: ${wheel.package}, ${wheel.bytes} bytes, sha256 ${wheel.sha256}`),
  });
