/** The part of `http_ece` used here: the package ships no types. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface Receiver {
    readonly version: 'aes128gcm';
    readonly privateKey: ECDH;
    readonly authSecret: Buffer;
  }
  const ece: {
    /** Throws where a tag, a length or the padding does not fit (RFC 8188, RFC 8291). */
    decrypt(body: Buffer, receiver: Receiver): Buffer;
  };
  export default ece;
}
