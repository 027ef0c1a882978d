import { createEncryptBatch, type EncryptBatch, type KnownSender } from '../encrypt.ts';
import { openCryptoMb } from './crypto-mb.ts';
import { openLibcrypto } from './libcrypto.ts';
import { createMultibufferAgreement } from './multibuffer.ts';
import { createNodeAgreement, createNodeSealer } from './node.ts';
import { createOpensslAgreement } from './openssl.ts';
import { createOpensslSealer } from './openssl-sealer.ts';

/**
 * The encryption backends, the fastest first. They give the same bodies and the same answers; only the cost
 * differs.
 */
export const backendNames = ['multibuffer', 'openssl', 'node'] as const;
export type BackendName = (typeof backendNames)[number];

export interface Backend {
  readonly encryptBatch: EncryptBatch;
  /** Gives native memory back; `encryptBatch` throws afterwards. Further calls do nothing. */
  close(): void;
}

export interface BackendOptions {
  /** Path of libcrypto_mb; null: the usual ones. */
  readonly cryptoMbLibrary: string | null;
  /** For vectors only: every message gets this sender and this salt. */
  readonly known?: KnownSender;
}

/** @throws Unavailable where this machine does not offer it. */
export function openBackend(name: BackendName, { cryptoMbLibrary, known }: BackendOptions): Backend {
  const scalar = known?.scalar ?? null;
  const { agreement, sealer } = openParts(name, cryptoMbLibrary, scalar);
  return {
    encryptBatch: createEncryptBatch(agreement, sealer, known),
    close() {
      agreement.close();
      sealer.close();
    },
  };
}

function openParts(name: BackendName, cryptoMbLibrary: string | null, scalar: Buffer | null) {
  switch (name) {
    case 'node':
      return { agreement: createNodeAgreement(scalar), sealer: createNodeSealer() };
    case 'openssl': {
      const libcrypto = openLibcrypto();
      return {
        agreement: createOpensslAgreement(libcrypto, scalar),
        sealer: createOpensslSealer(libcrypto),
      };
    }
    case 'multibuffer': {
      const library = openCryptoMb(cryptoMbLibrary);
      return {
        agreement: createMultibufferAgreement(library, scalar),
        sealer: createOpensslSealer(openLibcrypto()),
      };
    }
  }
}
