import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A file that browsers load. */
export interface SdkFile {
  /** Such as `broadside.js`. */
  readonly name: string;
  /** `pinned`: under its hash, never another text. `stable`: under its name, what this version has there. */
  readonly kind: 'pinned' | 'stable';
  readonly text: string;
  readonly hash: string;
  /** For the `integrity` attribute (W3C Subresource Integrity). */
  readonly integrity: string;
}

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
  return JSON.parse(stdout) as readonly SdkFile[];
}
