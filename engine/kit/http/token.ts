import { createHash, randomBytes } from 'node:crypto';

/**
 * A token as its holder has it: `<token_id>|<secret>`. The secret has 256 random bits, so its plain SHA-256
 * is enough to keep: there is nothing to guess, and nothing a slow hash would slow.
 */
export interface RawToken {
  readonly id: number;
  readonly secret: string;
}

const SECRET_BYTES = 32;
const MAX_ID = 2_147_483_647;
const bearer = /^Bearer +(\d{1,10})\|([A-Za-z0-9_-]{43})$/i;

/** @returns the token of an `Authorization` header; null where it has not the shape of one. */
export function parseBearer(header: string | undefined): RawToken | null {
  const match = bearer.exec(header ?? '');
  const id = Number(match?.[1]);
  const secret = match?.[2];
  return secret === undefined || id < 1 || id > MAX_ID ? null : { id, secret };
}

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
export const formatToken = ({ id, secret }: RawToken): string => `${id}|${secret}`;
