import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Backend,
  type BackendName,
  type BackendOptions,
  openBackend,
} from '../../../engine/worker/encryption/backends.ts';
import { Unavailable } from '../../../engine/worker/encryption/ffi.ts';
import { cryptoMbAvailability, cryptoMbLibrary } from './library.ts';

/** Opens the backend of a suite. */
export type Open = (given?: Pick<BackendOptions, 'known'>) => Backend;

/** The same suite for every backend that this machine can have. */
export function describeBackends(title: string, suite: (open: Open) => void): void {
  describeBackend(title, 'node', async () => null, suite);
  describeNativeBackends(title, suite);
}

/** For those through node:ffi. */
export function describeNativeBackends(title: string, suite: (open: Open) => void): void {
  describeBackend(title, 'openssl', async () => null, suite);
  describeMultibuffer(title, suite);
}

/**
 * A suite that needs libcrypto_mb. Where pip is missing it is skipped and says so, unless REQUIRE_CRYPTO_MB=1
 * (CI): then it fails. Where the CPU cannot run it, it tests what a start on such a machine must do instead.
 */
export function describeMultibuffer(title: string, suite: (open: Open) => void): void {
  const availability = cryptoMbAvailability();
  if (availability.kind === 'here') {
    describeBackend(title, 'multibuffer', cryptoMbLibrary, suite);
    return;
  }
  console.warn(`NOT TESTED here, libcrypto_mb: ${availability.reason}`);
  const label = `${title}, multibuffer`;
  if (availability.kind === 'impossible') {
    describe(label, () => {
      it(`is not offered: ${availability.reason}`, () => {
        expect(() => openBackend('multibuffer', { cryptoMbLibrary: null })).toThrow(Unavailable);
      });
    });
  } else if (process.env.REQUIRE_CRYPTO_MB === '1') throw new Error(availability.reason);
  else describe.skip(label, () => suite(() => openBackend('node', { cryptoMbLibrary: null })));
}

function describeBackend(
  title: string,
  name: BackendName,
  library: () => Promise<string | null>,
  suite: (open: Open) => void,
): void {
  describe(`${title}, ${name}`, () => {
    let path: string | null = null;
    beforeAll(async () => {
      path = await library();
    }, 320_000);
    suite((given = {}) => openBackend(name, { cryptoMbLibrary: path, ...given }));
  });
}
