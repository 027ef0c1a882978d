/**
 * Idempotency keys: the same values have the same key until they are known to be sent. So a second click, and a
 * retry after a lost answer, send nothing twice.
 */
export interface SendKeys {
  /** @param file what is sent beside the values. */
  keyFor(values: object, file?: File | null): string;
  /** It is sent: the same again would be meant. */
  used(): void;
}

const KEY_BYTES = 16;

export function createSendKeys(): SendKeys {
  let last: { readonly text: string; readonly key: string } | null = null;
  return {
    keyFor(values, file = null) {
      const text = JSON.stringify([values, fileMark(file)]);
      if (last?.text !== text) last = { text, key: newKey() };
      return last.key;
    },
    used() {
      last = null;
    },
  };
}

const fileMark = (file: File | null): unknown =>
  file === null ? null : [file.name, file.size, file.lastModified];

/** By hand: `randomUUID` is there on https and localhost alone. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
