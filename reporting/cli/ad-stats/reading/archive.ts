import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import { withinReason } from './within-reason.ts';

/** A ZIP, opened: its entries, each read as a stream. */
export interface Archive {
  readonly file: string;
  readonly entries: readonly ArchiveEntry[];
  /** @throws CliError, from the bytes: it is damaged, encrypted, or unpacks to more than a report could be. */
  bytesOf(entry: ArchiveEntry): AsyncIterable<Buffer>;
  /** Unpacked so far. */
  readBytes(): number;
  close(): Promise<void>;
}

export interface ArchiveEntry {
  readonly name: string;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly own: yauzl.Entry;
}

const MAX_ENTRIES = 10_000;

/**
 * @throws CliError where it is not an archive, or its entries share bytes: so a few kilobytes unpack to petabytes.
 */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await yauzl.openPromise(file, { autoClose: false }).catch((error: unknown) => {
    throw broken(file, error);
  });
  const entries: ArchiveEntry[] = [];
  /** Unpacked so far: many small files fill a disk as one large one does. */
  const read = { bytes: 0 };
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new CliError(`${file} has more than ${MAX_ENTRIES} files in it`);
    for await (const own of zip.eachEntry())
      entries.push({
        name: own.fileName,
        packedBytes: own.compressedSize,
        bytes: own.uncompressedSize,
        own,
      });
    const packed = entries.reduce((sum, { packedBytes }) => sum + packedBytes, 0);
    if (packed > zip.fileSize)
      throw new CliError(`${file} is not an archive to trust: its files share their bytes`);
  } catch (error) {
    zip.close();
    throw error instanceof CliError ? error : broken(file, error);
  }
  return {
    file,
    entries,
    bytesOf: (entry) => withinReason(file, unpacked(file, zip, entry), () => zip.fileSize, read),
    readBytes: () => read.bytes,
    close: async () => zip.close(),
  };
}

async function* unpacked(file: string, zip: yauzl.ZipFile, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  const name = `${file}/${entry.name}`;
  if (entry.own.isEncrypted()) throw new CliError(`${name} is encrypted: unpack it with its password first`);
  if (!entry.own.canDecodeFileData())
    throw new CliError(`${name} is packed in a way that is not read here: unpack it first`);
  try {
    const stream = await zip.openReadStreamPromise(entry.own);
    let sum = 0;
    for await (const chunk of withinReason(name, stream as AsyncIterable<Buffer>, () => entry.packedBytes)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    // The library compares sizes alone: a flipped bit would be another figure.
    if (sum !== entry.own.crc32) throw new CliError(`${name} cannot be unpacked: it is damaged`);
  } catch (error) {
    throw error instanceof CliError ? error : broken(name, error);
  }
}

const broken = (file: string, error: unknown): CliError => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new CliError(`there is no file ${file}`);
  if (message.startsWith('End of central directory'))
    return new CliError(
      `${file} cannot be unpacked: it is empty, not whole, or of another kind than its name says`,
    );
  return new CliError(`${file} cannot be unpacked: ${message}`);
};
