import { crc32, inflateRawSync } from 'node:zlib';

/** The files of a ZIP by their names, each checked against its checksum. @throws Error where it is none. */
export function unzip(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1) throw new Error('no end of a ZIP');
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    files.set(name, fileAt(bytes, at));
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

/** @param entry where its entry of the central directory stands. */
function fileAt(bytes: Buffer, entry: number): Buffer {
  const local = bytes.readUInt32LE(entry + 42);
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const data = bytes.subarray(start, start + bytes.readUInt32LE(entry + 20));
  const file = bytes.readUInt16LE(entry + 10) === 0 ? data : inflateRawSync(data);
  if (crc32(file) !== bytes.readUInt32LE(entry + 16)) throw new Error('a checksum is wrong');
  return file;
}
