/**
 * Idempotency keys: the same values have the same key until they are known to be sent. So a second click, and a
 * retry after a lost answer, send nothing twice.
 */
export interface SendKeys {
  /** @param files what is sent beside the values, by fields. */
  keyFor(values: object, files?: Readonly<Record<string, File>>): string;
  /** It is sent: the same again would be meant. */
  used(): void;
}

const KEY_BYTES = 16;

export function createSendKeys(): SendKeys {
  let last: { readonly text: string; readonly key: string } | null = null;
  return {
    keyFor(values, files = {}) {
      const marks = Object.entries(files).map(([field, file]) => [field, fileMark(file)]);
      const text = JSON.stringify([values, marks]);
      if (last?.text !== text) last = { text, key: newKey() };
      return last.key;
    },
    used() {
      last = null;
    },
  };
}

const fileMark = ({ name, size, lastModified }: File): unknown => [name, size, lastModified];

/** By hand: `randomUUID` is there on https and localhost alone. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
