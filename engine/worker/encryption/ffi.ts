/**
 * `node:ffi`, which Node 26 has without a flag; `--no-experimental-ffi` removes it, and `--permission` needs
 * `--allow-ffi`. It checks nothing: a wrong signature or length is a crash. So every signature is in one of two
 * tables (`libcrypto.ts`, `crypto-mb.ts`), and every pointer is into an arena or came from the library.
 */
type Ffi = typeof import('node:ffi');
export type Library = InstanceType<Ffi['DynamicLibrary']>;
export type Pointer = bigint;
export const NULL: Pointer = 0n;

/** A backend that this machine does not offer: no defect, and the message says what is missing. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** @throws Unavailable. */
export function loadFfi(): Ffi {
  const restore = silenceWarning();
  try {
    const ffi = process.getBuiltinModule('node:ffi') as Ffi | undefined;
    if (ffi === undefined) throw new Unavailable('this Node has no node:ffi');
    return ffi;
  } finally {
    restore();
  }
}

/** Each thread would print that FFI is experimental; the log names the backend instead. */
function silenceWarning(): () => void {
  const original = process.emitWarning;
  process.emitWarning = (...given: unknown[]) => {
    const ours = given[1] === 'ExperimentalWarning' && String(given[0]).startsWith('FFI ');
    if (!ours) Reflect.apply(original, process, given);
  };
  return () => {
    process.emitWarning = original;
  };
}

/** @param path null: this process itself. @throws Unavailable. */
export function openLibrary(ffi: Ffi, path: string | null): Library {
  try {
    return new ffi.DynamicLibrary(path);
  } catch (error) {
    throw new Unavailable((error as Error).message);
  }
}

/** Memory that native code may write to, at the same address as long as its arena lives. */
export interface NativeBuffer {
  readonly bytes: Buffer;
  readonly at: Pointer;
}

export interface Arena {
  allocate(bytes: number): NativeBuffer;
  wipe(): void;
}

const ALIGNMENT = 64;

/** Holds everything secrets pass through, so that one `wipe` clears all of them. */
export function createArena(ffi: Ffi, bytes: number): Arena {
  const memory = Buffer.from(new ArrayBuffer(bytes));
  const start = ffi.getRawPointer(memory);
  let used = 0;
  return {
    allocate(length) {
      if (used + length > bytes) throw new RangeError(`an arena of ${bytes} bytes is full`);
      const at = used;
      used += Math.ceil(length / ALIGNMENT) * ALIGNMENT;
      return { bytes: memory.subarray(at, at + length), at: start + BigInt(at) };
    },
    wipe() {
      memory.fill(0);
    },
  };
}
