import type { Readable } from 'node:stream';
import yazl from 'yazl';

/** A ZIP of small texts and then of streams, by their paths. Each stream is read when what precedes it is written. */
export function zipOf(
  texts: Readonly<Record<string, string>>,
  streams: Readonly<Record<string, Readable>>,
): Readable {
  const zip = new yazl.ZipFile();
  for (const [path, text] of Object.entries(texts)) zip.addBuffer(Buffer.from(text), path);
  const output = zip.outputStream as Readable;
  // A ZIP that does not come to its end must break off: without a listener, the error would end the process.
  // The library listens only during a stream's turn, and passes it on then.
  const breakOff = (error: Error): void => void output.destroy(error);
  zip.on('error', breakOff);
  for (const [path, stream] of Object.entries(streams)) {
    stream.on('error', breakOff);
    output.once('close', () => stream.destroy());
    zip.addReadStream(stream, path);
  }
  zip.end();
  return output;
}
