import { randomFillSync } from 'node:crypto';
import { type Agreed, type Agreement, POINT_BYTES, SECRET_BYTES, type SubscriptionKeys } from '../encrypt.ts';
import type { CryptoMb } from './crypto-mb.ts';
import { type Arena, createArena, NULL, type Pointer } from './ffi.ts';
import { generator, hasFieldCoordinates, isPrivateNumber, reverseInto } from './p256.ts';

const LANES = 8;
const NUMBER_BYTES = 32;
const ARENA_BYTES = 4_096;
const UNCOMPRESSED = 4;
/** Eight draws of 2^256 are outside of the curve's order once in 2^29 times; this often in a row, never. */
const MAX_DRAWS = 8;
/** A lane's part of the library's answer, and the status of a point that is not on the curve. */
const STATUS_BITS = 4;
const STATUS_MASK = 0xf;
const MISMATCH = 1;

/** One number of 32 bytes for each lane, little-endian as the library reads and writes them. */
interface Numbers {
  readonly bytes: Buffer;
  /** Address of the eight addresses. */
  readonly table: Pointer;
}

/**
 * Key agreement for eight messages at a time by libcrypto_mb: 20 µs a message where all eight lanes are used,
 * and as much for one message as for eight. It allocates nothing native.
 *
 * The library reports a point that is not on the curve for its own lane and leaves the others alone. It would
 * read a coordinate from the field's prime on as another one: such points are refused here, as OpenSSL does.
 *
 * The addresses of its buffers must not outlive it.
 * @param scalar a known sender's private number, for vectors; null: a fresh one for each message.
 */
export function createMultibufferAgreement(library: CryptoMb, scalar: Buffer | null): Agreement {
  const arena = createArena(library.ffi, ARENA_BYTES);
  const [privates, secrets] = [createNumbers(arena), createNumbers(arena)];
  const [x, y, peerX, peerY] = [
    createNumbers(arena),
    createNumbers(arena),
    createNumbers(arena),
    createNumbers(arena),
  ];
  const drawn = Buffer.alloc(LANES * NUMBER_BYTES);

  function drawScalars(): void {
    for (let draw = 0; draw < MAX_DRAWS; draw++) {
      if (scalar === null) randomFillSync(drawn);
      else for (let lane = 0; lane < LANES; lane++) drawn.set(scalar, lane * NUMBER_BYTES);
      if (!everyLane((lane) => isPrivateNumber(drawn.subarray(...range(lane))))) continue;
      for (let lane = 0; lane < LANES; lane++) {
        const at = lane * NUMBER_BYTES;
        reverseInto(privates.bytes, at, drawn, at);
      }
      return;
    }
    throw new Error('no private numbers came out of the random generator');
  }

  function writePeer(lane: number, point: Uint8Array): void {
    reverseInto(peerX.bytes, lane * NUMBER_BYTES, point, 1);
    reverseInto(peerY.bytes, lane * NUMBER_BYTES, point, 1 + NUMBER_BYTES);
  }

  /** @returns the library's answer per lane: 0, or a mismatch. */
  function compute(): number {
    const made = library.mbx_nistp256_ecpublic_key_mb8(x.table, y.table, NULL, privates.table, NULL);
    if (made !== 0) throw new Error(`libcrypto_mb made no key pairs: ${made.toString(16)}`);
    const [secretTable, ownTable] = [secrets.table, privates.table];
    const agreedOn = library.mbx_nistp256_ecdh_mb8(
      secretTable,
      ownTable,
      peerX.table,
      peerY.table,
      NULL,
      NULL,
    );
    if (!everyLane((lane) => [0, MISMATCH].includes(statusOf(agreedOn, lane))))
      throw new Error(`libcrypto_mb did not agree: ${agreedOn.toString(16)}`);
    return agreedOn;
  }

  /** The lanes' results, as messages from `from` on. */
  function take(lane: number, message: number, into: Agreed): void {
    const at = lane * NUMBER_BYTES;
    const point = message * POINT_BYTES;
    into.points[point] = UNCOMPRESSED;
    reverseInto(into.points, point + 1, x.bytes, at);
    reverseInto(into.points, point + 1 + NUMBER_BYTES, y.bytes, at);
    into.secrets.set(secrets.bytes.subarray(at, at + NUMBER_BYTES), message * SECRET_BYTES);
  }

  function agreeEight(keys: readonly SubscriptionKeys[], from: number, agreed: Agreed): void {
    const count = Math.min(LANES, keys.length - from);
    for (let lane = 0; lane < LANES; lane++) {
      const point = lane < count ? (keys[from + lane] as SubscriptionKeys).p256dh : generator;
      const readable = hasFieldCoordinates(point);
      writePeer(lane, readable ? point : generator);
      if (lane < count) agreed.valid[from + lane] = readable ? 1 : 0;
    }
    drawScalars();
    const answer = compute();
    for (let lane = 0; lane < count; lane++) {
      if (statusOf(answer, lane) !== 0) agreed.valid[from + lane] = 0;
      if (agreed.valid[from + lane] === 1) take(lane, from + lane, agreed);
    }
  }

  return {
    agree(keys, agreed) {
      try {
        for (let from = 0; from < keys.length; from += LANES) agreeEight(keys, from, agreed);
      } finally {
        drawn.fill(0);
        privates.bytes.fill(0);
        secrets.bytes.fill(0);
      }
    },
    // The library itself stays loaded: other threads use it, and its code keeps no state.
    close: () => {},
  };
}

function createNumbers(arena: Arena): Numbers {
  const numbers = arena.allocate(LANES * NUMBER_BYTES);
  const table = arena.allocate(LANES * 8);
  for (let lane = 0; lane < LANES; lane++)
    table.bytes.writeBigUInt64LE(numbers.at + BigInt(lane * NUMBER_BYTES), lane * 8);
  return { bytes: numbers.bytes, table: table.at };
}

const range = (lane: number): [number, number] => [lane * NUMBER_BYTES, (lane + 1) * NUMBER_BYTES];

const statusOf = (answer: number, lane: number): number => (answer >>> (lane * STATUS_BITS)) & STATUS_MASK;

function everyLane(holds: (lane: number) => boolean): boolean {
  for (let lane = 0; lane < LANES; lane++) if (!holds(lane)) return false;
  return true;
}
