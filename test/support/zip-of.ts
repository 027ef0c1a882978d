import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

/** A ZIP with files of these names and texts. */
export function zipOf(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream as never);
}
