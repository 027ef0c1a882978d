import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type Kept, VERSION, type Wheel } from '../../../../engine/kit/fast-library/files.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const kept = (name: string, text: string): Kept => {
  const bytes = Buffer.from(text);
  return { name, bytes: bytes.length, sha256: sha256(bytes) };
};

/** A wheel like Intel's, and its file. @param packed what its entries hold, where it is not what is known of them. */
export async function makeWheel(
  folder: string,
  name: string,
  texts: Readonly<Record<string, string>>,
  packed: Readonly<Record<string, string>> = texts,
): Promise<{ readonly wheel: Wheel; readonly path: string }> {
  const stem = `${name.replaceAll('-', '_')}-${VERSION}`;
  const zip = new ZipFile();
  for (const [file, text] of Object.entries(packed))
    zip.addBuffer(Buffer.from(text), file.includes('/') ? file : `${stem}.data/data/lib/${file}`);
  zip.addBuffer(Buffer.from(`Name: ${name}\nVersion: ${VERSION}\n`), `${stem}.dist-info/METADATA`);
  zip.addBuffer(
    Buffer.from('Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py2.py3-none-manylinux_2_28_x86_64\n'),
    `${stem}.dist-info/WHEEL`,
  );
  zip.addBuffer(Buffer.from(`Licence of ${name}`), `${stem}.dist-info/LICENSE.txt`);
  zip.end();
  const bytes = await buffer(zip.outputStream);
  const path = `${folder}/${stem}-py2.py3-none-manylinux_2_28_x86_64.whl`;
  await writeFile(path, bytes);
  const wheel: Wheel = {
    ...{ package: name, bytes: bytes.length, sha256: sha256(bytes), licence: 'Made-up Licence' },
    licenceText: kept(`LICENSE-${name}.txt`, `Licence of ${name}`),
    files: Object.entries(texts).map(([file, text]) => kept(file, text)),
  };
  return { wheel, path };
}
