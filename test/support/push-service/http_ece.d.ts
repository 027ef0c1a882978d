/** The part of `http_ece` used here: the package ships no types. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface Receiver {
    readonly version: 'aes128gcm';
    readonly privateKey: ECDH;
    readonly authSecret: Buffer;
  }
  interface Sender {
    readonly version: 'aes128gcm';
    readonly privateKey: ECDH;
    /** Of the receiver, base64url. */
    readonly dh: string;
    readonly authSecret: string;
  }
  const ece: {
    encrypt(text: Buffer, sender: Sender): Buffer;
    /** Throws where a tag, a length or the padding does not fit (RFC 8188, RFC 8291). */
    decrypt(body: Buffer, receiver: Receiver): Buffer;
  };
  export default ece;
}
