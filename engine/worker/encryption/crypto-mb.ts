import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Library, loadFfi, openLibrary, Unavailable } from './ffi.ts';

/** Functions of `crypto_mb/ec_nistp256.h` and `cpu_features.h`. */
const signatures = {
  mbx_get_algo_info: { arguments: ['i32'], return: 'u64' },
  /** X, Y and Z of eight points (Z null: affine), eight private numbers, scratch memory (unused: null). */
  mbx_nistp256_ecpublic_key_mb8: {
    arguments: ['pointer', 'pointer', 'pointer', 'pointer', 'pointer'],
    return: 'u32',
  },
  /** Eight secrets, eight private numbers, then as above. */
  mbx_nistp256_ecdh_mb8: {
    arguments: ['pointer', 'pointer', 'pointer', 'pointer', 'pointer', 'pointer'],
    return: 'u32',
  },
} as const;

/** `MBX_ALGO_EC_NIST_P256`, and the bit of `MBX_WIDTH_MB8` in its answer. */
const P256_ALGORITHM = 5;
const WIDTH_8 = 8n;

/** By name through the loader's own paths, then where Intel's installers put it. Never the working folder. */
const names = ['libcrypto_mb.so.13', 'libcrypto_mb.so.12', 'libcrypto_mb.so.11', 'libcrypto_mb.so'];
const folders = ['/opt/intel/oneapi/ippcp/latest/lib', '/usr/local/lib', '/usr/lib64'];
const usualPaths = [
  ...names,
  ...folders.flatMap((folder) => names.map((name) => join(folder, name))).filter((path) => existsSync(path)),
];

/**
 * Intel's compiler runtime, which the library needs without saying where it is: each file before those that
 * need it.
 */
const companions = ['libintlc.so.5', 'libimf.so', 'libirng.so', 'libsvml.so'];
const companionFolders = ['/opt/intel/oneapi/compiler/latest/lib'];

export type CryptoMb = ReturnType<typeof openCryptoMb>;

/**
 * `libcrypto_mb` of Intel's Cryptography Primitives: the same operation for eight messages at once.
 * @param path of the library; null: the usual ones.
 * @throws Unavailable where there is none, or this CPU lacks AVX-512 IFMA.
 */
export function openCryptoMb(path: string | null) {
  const ffi = loadFfi();
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Unavailable(`libcrypto_mb is for Linux on x64, this is ${process.platform} on ${process.arch}`);
  /** Stays open as long as the libraries that depend on it. */
  const runtime: Library[] = [];
  const library = path === null ? openFirst(ffi, runtime) : openWithRuntime(ffi, path, runtime);
  const functions = resolve(library);
  if ((functions.mbx_get_algo_info(P256_ALGORITHM) & WIDTH_8) === 0n)
    throw new Unavailable('this CPU has no AVX-512 IFMA');
  return { ...functions, ffi, runtime, path: library.path };
}

function openFirst(ffi: ReturnType<typeof loadFfi>, runtime: Library[]): Library {
  let reason = 'libcrypto_mb is in none of the usual places: name it in CRYPTO_MB_LIBRARY';
  for (const path of usualPaths) {
    try {
      return openWithRuntime(ffi, path, runtime);
    } catch (error) {
      const { message } = error as Error;
      // Found, but not loaded: something that it needs is missing.
      if (!message.includes(`${path}: cannot open`)) reason = message;
    }
  }
  throw new Unavailable(reason);
}

function openWithRuntime(ffi: ReturnType<typeof loadFfi>, path: string, runtime: Library[]): Library {
  if (path !== basename(path)) {
    // The loader reuses a library that is already loaded under the requested name.
    for (const folder of [dirname(path), ...companionFolders])
      for (const name of companions)
        if (existsSync(join(folder, name))) runtime.push(openLibrary(ffi, join(folder, name)));
  }
  return openLibrary(ffi, path);
}

function resolve(library: Library) {
  try {
    return library.getFunctions(signatures);
  } catch (error) {
    throw new Unavailable((error as Error).message);
  }
}
