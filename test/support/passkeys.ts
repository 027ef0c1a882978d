import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What the page and the network may do to an answer. */
interface Use {
  readonly origin?: string;
  /** Whether it asked for a PIN or a finger. */
  readonly verified?: boolean;
  /** Instead of one more than before. */
  readonly counter?: number;
  readonly forged?: boolean;
}

/** An authenticator in software, with one credential: WebAuthn level 3, without attestation. */
export function createAuthenticator(rpId = 'localhost', site = 'http://localhost') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const name = id.toString('base64url');
  let counter = 0;
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = map([
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), bytes(Buffer.from(x, 'base64url'))],
    [int(-3), bytes(Buffer.from(y, 'base64url'))],
  ]);
  const dataOf = (flags: number, count: number): Buffer => {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags, 0);
    tail.writeUInt32BE(count, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), tail]);
  };
  const clientData = (type: string, challenge: string, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const answerOf = (response: object): string =>
    JSON.stringify({ id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response });
  return {
    name,
    coseKey,
    /** For a `webauthn.create`. */
    add(challenge: string, { origin = site }: Use = {}): string {
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
      const authData = Buffer.concat([dataOf(0b0100_0101, counter), credential]);
      const attestation = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(authData)],
      ]);
      return answerOf({
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** For a `webauthn.get`. */
    use(
      challenge: string,
      { origin = site, verified = true, counter: given, forged = false }: Use = {},
    ): string {
      counter = given ?? counter + 1;
      const authenticatorData = dataOf(verified ? 0b101 : 0b001, counter);
      const client = clientData('webauthn.get', challenge, origin);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()]);
      const key = forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : privateKey;
      return answerOf({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, key).toString('base64url'),
      });
    },
  };
}

/** CBOR (RFC 8949), as much as a credential needs. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const int = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (pairs: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, pairs.length), ...pairs.flat()]);
