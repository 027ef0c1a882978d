// tier: unit
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeTextFile } from '../../../engine/kit/command-line/write-text-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'broadside-text-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('writes a file with the folders above it', async () => {
  const file = join(folder, 'a', 'b', 'text.json');
  await writeTextFile(file, '{}');
  await writeTextFile(file, '[]');
  expect(await readFile(file, 'utf8')).toBe('[]');
});

it('ends in one line where a file is in the way of a folder, or a folder in that of the file', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(writeTextFile(join(folder, 'file', 'below', 'x'), '')).rejects.toThrow(
    /cannot be made \(a file is in its way\)$/,
  );
  await expect(writeTextFile(folder, '')).rejects.toThrow(/^cannot write .*EISDIR/);
});

it.runIf(process.platform === 'linux')('ends where the system makes no folder', async () => {
  await expect(writeTextFile('/proc/here/below/x', '')).rejects.toThrow(/cannot be made/);
});
