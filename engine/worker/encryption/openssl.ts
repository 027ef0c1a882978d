import { type Agreement, POINT_BYTES, SECRET_BYTES } from '../encrypt.ts';
import { createArena, NULL, type Pointer } from './ffi.ts';
import type { Libcrypto } from './libcrypto.ts';

/** `NID_X9_62_prime256v1` and `POINT_CONVERSION_UNCOMPRESSED` of OpenSSL's headers. */
const P256 = 415;
const UNCOMPRESSED = 4;
/** Zero is drawn once in 2^256 times: twice in a row is a broken generator. */
const MAX_DRAWS = 2;

/**
 * Key agreement by Node's own OpenSSL through node:ffi, over objects that live as long as the thread. It makes
 * the same calls as `EC_KEY_generate_key` and `ECDH_compute_key`: 77 µs a message against 143 through
 * node:crypto, whose KeyObjects cost the rest.
 *
 * The addresses of its objects must not outlive it.
 * @param scalar a known sender's private number, for vectors; null: a fresh one for each message.
 */
export function createOpensslAgreement(libcrypto: Libcrypto, scalar: Buffer | null): Agreement {
  const { demand } = libcrypto;
  const arena = createArena(libcrypto.ffi, 512);
  const [peer, point, number] = [
    arena.allocate(POINT_BYTES),
    arena.allocate(POINT_BYTES),
    arena.allocate(SECRET_BYTES),
  ];
  const parts = createParts(libcrypto);
  const { group, context, order, generator, privateNumber, x, publicPoint, peerPoint, sharedPoint } = parts;
  const pointBytes = BigInt(POINT_BYTES);

  function drawScalar(): void {
    if (scalar !== null) {
      number.bytes.set(scalar);
      libcrypto.demandPointer(libcrypto.BN_bin2bn(number.at, SECRET_BYTES, privateNumber), 'BN_bin2bn');
      return;
    }
    for (let draw = 0; draw < MAX_DRAWS; draw++) {
      demand(libcrypto.BN_priv_rand_range(privateNumber, order), 'BN_priv_rand_range');
      if (libcrypto.BN_is_zero(privateNumber) === 0) return;
    }
    throw new Error('OpenSSL drew the number 0 twice');
  }

  /** @returns whether the point is on the curve. */
  function readPeer(p256dh: Uint8Array): boolean {
    peer.bytes.set(p256dh);
    const answer = libcrypto.EC_POINT_oct2point(group, peerPoint, peer.at, pointBytes, context);
    // Node's own code on this thread would mistake entries left in the queue for errors of its own.
    if (answer !== 1) libcrypto.ERR_clear_error();
    return answer === 1;
  }

  function computePoint(): void {
    demand(libcrypto.EC_POINT_mul(group, publicPoint, privateNumber, NULL, NULL, context), 'EC_POINT_mul');
    const written = libcrypto.EC_POINT_point2oct(
      group,
      publicPoint,
      UNCOMPRESSED,
      point.at,
      pointBytes,
      context,
    );
    demand(written === pointBytes ? 1 : 0, 'EC_POINT_point2oct');
  }

  function computeSecret(): void {
    demand(
      libcrypto.EC_POINT_mul(group, sharedPoint, NULL, peerPoint, privateNumber, context),
      'EC_POINT_mul',
    );
    const answer = libcrypto.EC_POINT_get_affine_coordinates(group, sharedPoint, x, NULL, context);
    demand(answer, 'EC_POINT_get_affine_coordinates');
    const written = libcrypto.BN_bn2binpad(x, number.at, SECRET_BYTES);
    demand(written === SECRET_BYTES ? 1 : 0, 'BN_bn2binpad');
  }

  function wipe(): void {
    libcrypto.BN_clear(privateNumber);
    libcrypto.BN_clear(x);
    // The shared point is as secret as its x: overwritten by a public one.
    demand(libcrypto.EC_POINT_copy(sharedPoint, generator), 'EC_POINT_copy');
    arena.wipe();
  }

  return {
    agree(keys, { points, secrets, valid }) {
      parts.assertOpen();
      try {
        for (const [i, { p256dh }] of keys.entries()) {
          valid[i] = readPeer(p256dh) ? 1 : 0;
          if (valid[i] === 0) continue;
          drawScalar();
          computePoint();
          computeSecret();
          points.set(point.bytes, i * POINT_BYTES);
          secrets.set(number.bytes, i * SECRET_BYTES);
        }
      } finally {
        wipe();
      }
    },
    close: parts.free,
  };
}

/** All that is allocated, each with its own way to be freed; `order` and `generator` belong to the group. */
function createParts(libcrypto: Libcrypto) {
  const frees: (() => void)[] = [];
  let open = true;
  const own = (pointer: Pointer, name: string, free: (pointer: Pointer) => void): Pointer => {
    libcrypto.demandPointer(pointer, name);
    frees.push(() => free(pointer));
    return pointer;
  };
  const free = (): void => {
    open = false;
    for (const each of frees.splice(0).reverse()) each();
  };
  try {
    const group = own(libcrypto.EC_GROUP_new_by_curve_name(P256), 'EC_GROUP_new', libcrypto.EC_GROUP_free);
    const newPoint = () => own(libcrypto.EC_POINT_new(group), 'EC_POINT_new', libcrypto.EC_POINT_clear_free);
    const newNumber = () => own(libcrypto.BN_new(), 'BN_new', libcrypto.BN_clear_free);
    return {
      group,
      context: own(libcrypto.BN_CTX_secure_new(), 'BN_CTX_secure_new', libcrypto.BN_CTX_free),
      order: libcrypto.demandPointer(libcrypto.EC_GROUP_get0_order(group), 'EC_GROUP_get0_order'),
      generator: libcrypto.demandPointer(libcrypto.EC_GROUP_get0_generator(group), 'EC_GROUP_get0_generator'),
      privateNumber: newNumber(),
      x: newNumber(),
      publicPoint: newPoint(),
      peerPoint: newPoint(),
      sharedPoint: newPoint(),
      /** Freed memory is never handed to OpenSSL again. */
      assertOpen() {
        if (!open) throw new Error('this encryption backend is closed');
      },
      free,
    };
  } catch (error) {
    free();
    throw error;
  }
}
