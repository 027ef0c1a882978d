import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Compressed, compress } from '../../engine/kit/http/send-compressed.ts';

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
const bundle = fileURLToPath(new URL('./bundle.ts', import.meta.url));
/** It takes a third of a second; a machine that is busy may take longer. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 1_000_000;

/**
 * Made once, when first asked for: so there is no build that could be forgotten or be old. A failure is tried
 * again at the next call.
 */
export function createReadSdkFiles(): () => Promise<readonly SdkFile[]> {
  let files: Promise<readonly SdkFile[]> | null = null;
  return function readSdkFiles() {
    files ??= bundleSdk().catch((error) => {
      files = null;
      throw error;
    });
    return files;
  };
}

async function bundleSdk(): Promise<readonly SdkFile[]> {
  const { stdout } = await run(process.execPath, [bundle], { timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES });
  const files = JSON.parse(stdout) as readonly BundledFile[];
  return Promise.all(
    files.map(async ({ text, ...file }) => ({ ...file, ...(await compress(Buffer.from(text))) })),
  );
}
