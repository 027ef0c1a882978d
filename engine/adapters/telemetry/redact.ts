/** Fields whose value is a secret or leads to a subscriber, by name in any spelling: `privateKey`, `private_key`. */
const secretNames =
  /^(auth|authorization|p256dh|endpoint|cookie|setcookie|database(read)?urls?)$|(token|secret|password|passphrase|reportpass|privatekey|masterkeys?|masterkeysold)$/;

const MASK = '[redacted]';
/** Deeper values are left out: log fields are flat, and a walk must end. */
const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;

/** A copy of the fields with secrets masked. Errors, dates and bytes pass as they are. */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return maskObject(fields, 0);
}

function maskObject(value: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, isSecret(name) ? MASK : maskValue(each, depth + 1)]),
  );
}

function maskValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubCredentials(value);
  if (Array.isArray(value)) {
    return depth > MAX_DEPTH ? '[…]' : value.slice(0, MAX_ENTRIES).map((each) => maskValue(each, depth + 1));
  }
  if (!isPlain(value)) return value;
  return depth > MAX_DEPTH ? '[…]' : maskObject(value, depth);
}

const isSecret = (name: string): boolean =>
  secretNames.test(name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase());

/** Only plain objects are walked: a class of a library may answer for itself through its serializer. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The bound of a text; the longest of ours, stacks with their causes, stay below. The cut text was a stranger's. */
export const MAX_TEXT = 8_192;
const CUT = '[cut]';

/**
 * Credentials inside a text: those of a URL, as drivers quote it in errors, and bearer tokens. It is cut before
 * it is searched, and no two attempts of a pattern read the same characters: the cost is linear in the length.
 */
export function scrubCredentials(text: string): string {
  const cut = text.length > MAX_TEXT;
  const scrubbed = text
    .slice(0, MAX_TEXT)
    .replaceAll(/:\/\/[^\s/@]+@/g, `://${MASK}@`)
    .replaceAll(/\b(bearer|vapid) +[^\s,;]+/gi, `$1 ${MASK}`);
  // The `@` that makes credentials of it may be behind the cut.
  return cut ? `${scrubbed.replace(/:\/\/[^\s/@]*$/, `://${MASK}`)}${CUT}` : scrubbed;
}
