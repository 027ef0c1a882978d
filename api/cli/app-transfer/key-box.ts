import { argon2Sync, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { CliError } from '../../../engine/kit/command-line/endings.ts';

/** RFC 9106, 4: its second choice, 64 MiB. Fixed, so that no file can ask for more. */
const derivation = { memory: 65_536, passes: 3, parallelism: 4 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A private key under a passphrase: argon2id, then AES-256-GCM with the public key as associated data. */
export const sealedKey = Type.Object({
  kdf: Type.Literal('argon2id'),
  cipher: Type.Literal('aes-256-gcm'),
  salt: Type.String({ maxLength: 64 }),
  nonce: Type.String({ maxLength: 64 }),
  /** Ciphertext and tag. */
  data: Type.String({ maxLength: 256 }),
});
export type SealedKey = Static<typeof sealedKey>;

const derive = (passphrase: string, nonce: Buffer): Buffer =>
  argon2Sync('argon2id', { ...derivation, message: passphrase, nonce, tagLength: KEY_BYTES });

export function lockKey(privateKey: string, publicKey: string, passphrase: string): SealedKey {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv('aes-256-gcm', derive(passphrase, salt), nonce).setAAD(
    Buffer.from(publicKey),
  );
  const data = Buffer.concat([cipher.update(privateKey), cipher.final(), cipher.getAuthTag()]);
  const text = (bytes: Buffer): string => bytes.toString('base64');
  return { kdf: 'argon2id', cipher: 'aes-256-gcm', salt: text(salt), nonce: text(nonce), data: text(data) };
}

/** @throws CliError where the passphrase is another one, or the file was changed. */
export function unlockKey(sealed: SealedKey, publicKey: string, passphrase: string): string {
  const [salt, nonce, data] = [sealed.salt, sealed.nonce, sealed.data].map((text) =>
    Buffer.from(text, 'base64'),
  );
  try {
    if (!salt || !data || nonce?.length !== NONCE_BYTES) throw new RangeError('a part is missing');
    const decipher = createDecipheriv('aes-256-gcm', derive(passphrase, salt), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(publicKey)).setAuthTag(data.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]).toString();
  } catch {
    throw new CliError('the passphrase is wrong, or the file was changed');
  }
}
