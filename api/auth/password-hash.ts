import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** `argon2id` with the parameters of OWASP's Password Storage Cheat Sheet: 19 MiB, 2 passes, parallelism 1. */
const current = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** Of Argon2 itself (RFC 9106, 1.3). */
const VERSION = 19;

interface Parameters {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

interface ParsedHash extends Parameters {
  readonly salt: Buffer;
  readonly tag: Buffer;
}

/** @returns a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`, base64 without padding. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return formatHash({ ...current, salt, tag: await derive(password, salt, TAG_BYTES, current) });
}

export async function isPasswordOf(password: string, hash: string): Promise<boolean> {
  const parsed = parseHash(hash);
  if (parsed === null) return false;
  return timingSafeEqual(await derive(password, parsed.salt, parsed.tag.length, parsed), parsed.tag);
}

/** Whether it was made with other parameters than new ones are. */
export function isOutdated(hash: string): boolean {
  const parsed = parseHash(hash);
  if (parsed === null) return true;
  const { memory, passes, parallelism, tag } = parsed;
  return (
    memory !== current.memory ||
    passes !== current.passes ||
    parallelism !== current.parallelism ||
    tag.length !== TAG_BYTES
  );
}

/** A hash of no password, to check against where there is no user: it takes as long as any other. */
export const noHash = formatHash({ ...current, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) });

function formatHash({ memory, passes, parallelism, salt, tag }: ParsedHash): string {
  const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=${VERSION}$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

const phc = new RegExp(
  `^\\$argon2id\\$v=${VERSION}\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})$`,
);

function parseHash(hash: string): ParsedHash | null {
  const [, memory, passes, parallelism, salt, tag] = phc.exec(hash) ?? [];
  if (salt === undefined || tag === undefined) return null;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function derive(password: string, nonce: Buffer, tagLength: number, parameters: Parameters): Promise<Buffer> {
  // Keyboards write é as one character or as two: NFKC makes them the same password.
  const message = Buffer.from(password.normalize('NFKC'));
  const { memory, passes, parallelism } = parameters;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  argon2('argon2id', { message, nonce, tagLength, memory, passes, parallelism }, (error, tag) =>
    error === null ? resolve(tag) : reject(error),
  );
  return promise;
}
