import { type Library, loadFfi, NULL, openLibrary, type Pointer, Unavailable } from './ffi.ts';

/** The functions of Node's own OpenSSL 3, as its headers declare them: size_t is u64, int is i32. */
const signatures = {
  BN_bin2bn: { arguments: ['pointer', 'i32', 'pointer'], return: 'pointer' },
  BN_bn2binpad: { arguments: ['pointer', 'pointer', 'i32'], return: 'i32' },
  BN_clear: { arguments: ['pointer'], return: 'void' },
  BN_clear_free: { arguments: ['pointer'], return: 'void' },
  BN_is_zero: { arguments: ['pointer'], return: 'i32' },
  BN_new: { arguments: [], return: 'pointer' },
  BN_priv_rand_range: { arguments: ['pointer', 'pointer'], return: 'i32' },
  BN_CTX_free: { arguments: ['pointer'], return: 'void' },
  BN_CTX_secure_new: { arguments: [], return: 'pointer' },
  EC_GROUP_free: { arguments: ['pointer'], return: 'void' },
  EC_GROUP_get0_generator: { arguments: ['pointer'], return: 'pointer' },
  EC_GROUP_get0_order: { arguments: ['pointer'], return: 'pointer' },
  EC_GROUP_new_by_curve_name: { arguments: ['i32'], return: 'pointer' },
  EC_POINT_clear_free: { arguments: ['pointer'], return: 'void' },
  EC_POINT_copy: { arguments: ['pointer', 'pointer'], return: 'i32' },
  EC_POINT_get_affine_coordinates: {
    arguments: ['pointer', 'pointer', 'pointer', 'pointer', 'pointer'],
    return: 'i32',
  },
  EC_POINT_mul: {
    arguments: ['pointer', 'pointer', 'pointer', 'pointer', 'pointer', 'pointer'],
    return: 'i32',
  },
  EC_POINT_new: { arguments: ['pointer'], return: 'pointer' },
  EC_POINT_oct2point: { arguments: ['pointer', 'pointer', 'pointer', 'u64', 'pointer'], return: 'i32' },
  EC_POINT_point2oct: {
    arguments: ['pointer', 'pointer', 'i32', 'pointer', 'u64', 'pointer'],
    return: 'u64',
  },
  ERR_clear_error: { arguments: [], return: 'void' },
  ERR_get_error: { arguments: [], return: 'u64' },
  EVP_CIPHER_CTX_ctrl: { arguments: ['pointer', 'i32', 'i32', 'pointer'], return: 'i32' },
  EVP_CIPHER_CTX_free: { arguments: ['pointer'], return: 'void' },
  EVP_CIPHER_CTX_new: { arguments: [], return: 'pointer' },
  EVP_EncryptFinal_ex: { arguments: ['pointer', 'pointer', 'pointer'], return: 'i32' },
  EVP_EncryptInit_ex2: {
    arguments: ['pointer', 'pointer', 'pointer', 'pointer', 'pointer'],
    return: 'i32',
  },
  EVP_EncryptUpdate: { arguments: ['pointer', 'pointer', 'pointer', 'pointer', 'i32'], return: 'i32' },
  EVP_aes_128_gcm: { arguments: [], return: 'pointer' },
  SHA256_Transform: { arguments: ['pointer', 'pointer'], return: 'void' },
} as const;

type Functions = ReturnType<Library['getFunctions']> & ReturnType<typeof resolve>;

export interface Libcrypto extends Pick<Functions, keyof typeof signatures> {
  readonly ffi: ReturnType<typeof loadFfi>;
  /** @throws Error with OpenSSL's own code where a function did not answer 1. */
  demand(answer: number, name: string): void;
  /** @throws Error where there was no memory. */
  demandPointer(pointer: Pointer, name: string): Pointer;
}

/** @throws Unavailable where Node was built without it, with another major version, or with another library. */
export function openLibcrypto(): Libcrypto {
  const ffi = loadFfi();
  const version = process.versions.openssl ?? 'none';
  if (!version.startsWith('3.')) throw new Unavailable(`OpenSSL 3 is needed, Node has ${version}`);
  const functions = resolve(openLibrary(ffi, null));
  const failed = (name: string): Error => {
    const code = functions.ERR_get_error();
    functions.ERR_clear_error();
    return new Error(`OpenSSL: ${name} failed with code ${code.toString(16)}`);
  };
  return {
    ...functions,
    ffi,
    demand(answer, name) {
      if (answer !== 1) throw failed(name);
    },
    demandPointer(pointer, name) {
      if (pointer === NULL) throw failed(name);
      return pointer;
    },
  };
}

function resolve(library: Library) {
  try {
    return library.getFunctions(signatures);
  } catch (error) {
    throw new Unavailable((error as Error).message);
  }
}
