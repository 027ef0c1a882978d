import { StringDecoder } from 'node:string_decoder';
import { Parser } from 'htmlparser2';
import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import type { Archive, ArchiveEntry } from './archive.ts';

export type Attributes = Readonly<Record<string, string>>;

/** What is called while XML is read; names come without their prefix. */
export interface XmlReader {
  readonly onOpen?: (name: string, attributes: Attributes) => void;
  readonly onText?: (text: string) => void;
  readonly onClose?: (name: string) => void;
}

/** Longest tag, in bytes: the parser holds it whole. */
const MAX_TAG_BYTES = 1024 ** 2;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Reads a part of an archive, calling the reader as it comes; yields after each piece of it. @throws CliError. */
export const xmlPieces = (archive: Archive, entry: ArchiveEntry, reader: XmlReader): AsyncGenerator<void> =>
  xmlPiecesOf(archive.bytesOf(entry), `${archive.file}/${entry.name}`, reader);

/** @param file names the bytes in an error. */
export async function* xmlPiecesOf(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  reader: XmlReader,
): AsyncGenerator<void> {
  let sinceEvent = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        sinceEvent = 0;
        reader.onOpen?.(local(name), attributes);
      },
      ontext: (text) => {
        sinceEvent = 0;
        reader.onText?.(text);
      },
      onclosetag: (name) => {
        sinceEvent = 0;
        reader.onClose?.(local(name));
      },
    },
    { xmlMode: true },
  );
  const decoder = new StringDecoder('utf8');
  for await (const chunk of bytes) {
    sinceEvent += chunk.length;
    parser.write(decoder.write(chunk));
    if (sinceEvent > MAX_TAG_BYTES) throw new CliError(`${file} is damaged: a tag does not end`);
    yield;
  }
  parser.end(decoder.end());
  yield;
}

/** The same where the part is small, or kept by the reader. */
export async function readXml(archive: Archive, entry: ArchiveEntry, reader: XmlReader): Promise<void> {
  for await (const _ of xmlPieces(archive, entry, reader));
}
