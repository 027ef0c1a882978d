/** The few numbers of P-256 (FIPS 186-5, SP 800-186 section 3.2.1.3) that libcrypto_mb leaves to its caller. */
const NUMBER_BYTES = 32;
const prime = Buffer.from('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff', 'hex');
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const zero = Buffer.alloc(NUMBER_BYTES);

/** The curve's base point, uncompressed: fills the unused lanes. */
export const generator = Buffer.from(
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
);

/** @param number 32 bytes, big-endian; so everywhere here. */
export const isPrivateNumber = (number: Buffer): boolean =>
  number.compare(order) < 0 && number.compare(zero) > 0;

/** Whether both coordinates are elements of the field: from the prime on, they would be read as others. */
export function hasFieldCoordinates(point: Uint8Array): boolean {
  const [x, y] = [point.subarray(1, 1 + NUMBER_BYTES), point.subarray(1 + NUMBER_BYTES)];
  // Nearly every coordinate is settled by its first byte.
  return (x[0] !== 0xff || prime.compare(x) > 0) && (y[0] !== 0xff || prime.compare(y) > 0);
}

/** Copies 32 bytes in the other order: big-endian to little-endian and back. */
export function reverseInto(target: Buffer, targetAt: number, source: Uint8Array, sourceAt: number): void {
  for (let i = 0; i < NUMBER_BYTES; i++)
    target[targetAt + i] = source[sourceAt + NUMBER_BYTES - 1 - i] as number;
}
