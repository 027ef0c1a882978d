// tier: unit
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { pause, systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { openSource } from '../../../engine/kit/command-line/file/source.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-source-'));
  file = join(folder, 'list.csv');
  await writeFile(file, 'a,b\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function textOf({ bytes }: Awaited<ReturnType<typeof openSource>>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** It is there, and cannot be opened, as a file of somebody else's cannot: for root, too. */
async function makeUnreadable(): Promise<string> {
  const path = join(folder, 'socket');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return path;
}

it('gives the bytes, and counts them', async () => {
  const source = await openSource(file);
  expect(source.totalBytes).toBe(4);
  expect(await textOf(source)).toBe('a,b\n');
  expect(source.readBytes()).toBe(4);
});

it('tells its reader where the file cannot be read', async () => {
  const path = await makeUnreadable();
  const error = await textOf(await openSource(path)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CliError);
  expect((error as Error).message).toContain(`cannot read ${path}: ENXIO`);
});

it('throws nothing where nobody reads: a command that has failed otherwise ends with its own line', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  await openSource(await makeUnreadable());
  await pause(systemClock, 200);
  expect(uncaught).toEqual([]);
});

it('gives nothing once it was stopped', async () => {
  const source = await openSource(file);
  source.stop();
  expect(await textOf(source)).toBe('');
});
