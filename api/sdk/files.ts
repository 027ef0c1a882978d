import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { once } from '../../engine/contract/concurrency/once.ts';
import { type Compressed, compress } from '../../engine/kit/http/send-compressed.ts';
import { hashOfFiles } from '../shared/hash-of-files.ts';
import { isInstalled } from '../shared/is-installed.ts';

/** A browser file, as the bundler's process prints it. */
export interface BundledFile {
  /** Such as `broadside.js`. */
  readonly name: string;
  /** `pinned`: under its hash, always the same text. `stable`: under its name, this version's text. */
  readonly kind: 'pinned' | 'stable';
  readonly text: string;
  readonly hash: string;
  /** For the `integrity` attribute (W3C Subresource Integrity). */
  readonly integrity: string;
}

/** Compressed once: every page of every site asks for it. */
export type SdkFile = Omit<BundledFile, 'text'> & Compressed;

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
/** Holds the files that `npm run build` made, as one JSON text. */
export const sdkBuildsFolder = fileURLToPath(new URL('../../.cache/sdk', import.meta.url));
/** The same, as an installed package brings it in the place of the sources. */
const shipped = fileURLToPath(new URL('../../built/sdk.json', import.meta.url));
/** It takes a third of a second; a machine that is busy may take longer. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 1_000_000;

/** Read once, when first asked for. A failure is tried again at the next call. */
export const createReadSdkFiles = (builds = sdkBuildsFolder): (() => Promise<readonly SdkFile[]>) =>
  once(() => readOrBundle(builds));

/** A checkout needs no build: its bundler makes the same files. An image has a build, and no bundler. */
async function readOrBundle(builds: string): Promise<readonly SdkFile[]> {
  const made = await readFile(await buildOfSources(builds), 'utf8').catch(() => null);
  const files = JSON.parse(made ?? (await bundle())) as readonly BundledFile[];
  return Promise.all(
    files.map(async ({ text, ...file }) => ({ ...file, ...(await compress(Buffer.from(text))) })),
  );
}

/** Where the build of exactly these sources is, or would be. */
async function buildOfSources(builds: string): Promise<string> {
  if (existsSync(shipped)) return shipped;
  const hash = await hashOfFiles(folder, join(folder, 'browser'), ['bundle.ts', '../../package-lock.json']);
  return join(builds, `${hash}.json`);
}

async function bundle(): Promise<string> {
  if (!isInstalled('rolldown')) {
    throw new Error(
      'The files of the SDK are not built, and their bundler is not installed. Run "npm ci" and "npm run build", then start again.',
    );
  }
  const { stdout } = await run(process.execPath, [join(folder, 'bundle.ts')], {
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
  });
  return stdout;
}

/**
 * Makes the build of these sources in place of earlier ones. Written aside and renamed, so two processes may do it at
 * once.
 * @returns its path.
 */
export async function buildSdk(builds = sdkBuildsFolder): Promise<string> {
  const file = await buildOfSources(builds);
  await mkdir(builds, { recursive: true });
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, await bundle());
  await rename(aside, file);
  const others = (await readdir(builds)).filter((name) => name !== basename(file) && name.endsWith('.json'));
  for (const name of others) await rm(join(builds, name), { force: true });
  return file;
}
