import { loadFfi } from '../../engine/worker/encryption/ffi.ts';

/** Bytes that malloc has given out, of all threads: a native leak shows here, V8's heap does not. */
export type NativeMemory = () => number;

const FIELDS = 10;
/** Of glibc's `struct mallinfo2`: bytes in mmapped regions, and bytes in use. */
const MAPPED = 4;
const IN_USE = 7;

/** @returns null where there is no glibc of 2.33 or newer on x64. */
export function openNativeMemory(): NativeMemory | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  try {
    // A struct of more than 16 bytes is returned through a hidden first argument (System V ABI, x86-64).
    const { functions } = loadFfi().dlopen(null, {
      mallinfo2: { arguments: ['pointer'], return: 'pointer' },
    });
    const fields = new BigUint64Array(FIELDS);
    return () => {
      functions.mallinfo2(fields);
      return Number((fields[MAPPED] ?? 0n) + (fields[IN_USE] ?? 0n));
    };
  } catch {
    return null;
  }
}
