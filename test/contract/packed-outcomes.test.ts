// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_SIZE } from '../../engine/contract/bitmap.ts';
import { failures, outcomeCode, outcomes } from '../../engine/contract/outcome.ts';
import {
  type BlockOutcomes,
  packBlockOutcomes,
  unpackBlockOutcomes,
} from '../../engine/contract/packed-outcomes.ts';
import { pushServices } from '../../engine/contract/push-service.ts';

interface Row {
  readonly slot: number;
  readonly outcome: number;
  readonly failure: number;
  readonly status: number;
  readonly service: number;
  readonly latency: number;
}

const row: fc.Arbitrary<Row> = fc.record({
  slot: fc.nat(BLOCK_SIZE - 1),
  outcome: fc.nat(outcomes.length - 1),
  failure: fc.nat(failures.length - 1),
  status: fc.oneof(fc.constantFrom(0, 201, 410, 429), fc.nat(65_535)),
  service: fc.nat(pushServices.length - 1),
  latency: fc.nat(65_535),
});

const head = fc.record({
  appId: fc.integer({ min: 1, max: 0xffff_ffff }),
  deliveryId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  block: fc.nat(4_194_303),
  attempt: fc.nat(65_535),
  atMs: fc.nat(8_000_000_000_000),
});

function blockOf(given: Omit<BlockOutcomes, keyof ReturnType<typeof columns>>, rows: readonly Row[]) {
  return { ...given, ...columns(given.block, rows) };
}

function columns(block: number, rows: readonly Row[]) {
  return {
    seqs: Uint32Array.from(rows, ({ slot }) => block * BLOCK_SIZE + slot),
    outcomes: Uint8Array.from(rows, ({ outcome }) => outcome),
    failures: Uint8Array.from(rows, ({ failure }) => failure),
    statuses: Uint16Array.from(rows, ({ status }) => status),
    services: Uint8Array.from(rows, ({ service }) => service),
    latenciesMs: Uint16Array.from(rows, ({ latency }) => latency),
  };
}

const rows = fc.uniqueArray(row, { selector: ({ slot }) => slot, maxLength: BLOCK_SIZE, size: 'max' });

const usual = { appId: 3, deliveryId: 9, block: 2, attempt: 1, atMs: 1_767_225_600_123 };
const fullBlock = (status: (slot: number) => number) =>
  blockOf(
    usual,
    Array.from({ length: BLOCK_SIZE }, (_, slot) => ({
      slot,
      outcome: outcomeCode.accepted,
      failure: 0,
      status: status(slot),
      service: slot % 5,
      latency: slot,
    })),
  );

describe('packed outcomes', () => {
  it('come back unchanged, in the order of seq and without unsent ones', () => {
    fc.assert(
      fc.property(head, rows, (given, entries) => {
        const kept = entries
          .filter(({ outcome }) => outcome !== outcomeCode.unsent)
          .sort((a, b) => a.slot - b.slot);
        expect(unpackBlockOutcomes(packBlockOutcomes(blockOf(given, entries)))).toEqual(blockOf(given, kept));
      }),
      { numRuns: 60 },
    );
  });

  it('are the same bytes for any order of the outcomes', () => {
    fc.assert(
      fc.property(head, rows, (given, entries) => {
        const turned = packBlockOutcomes(blockOf(given, entries.toReversed()));
        const straight = packBlockOutcomes(blockOf(given, entries));
        // Kinds are numbered by the order of seq, so the order of the input leaves no trace.
        expect(Buffer.compare(turned, straight)).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  it('take less than 3.4 KB for a full block with the usual few kinds', () => {
    expect(packBlockOutcomes(fullBlock(() => 201)).length).toBeLessThan(3_400);
  });

  it('hold a block in which every target was answered differently', () => {
    const block = fullBlock((slot) => slot);
    expect(unpackBlockOutcomes(packBlockOutcomes(block))).toEqual(block);
  });

  it('keep the time to the millisecond, and cap a long run of attempts at the largest value', () => {
    const packed = packBlockOutcomes({ ...fullBlock(() => 201), atMs: 12.75, attempt: 70_000 });
    expect(unpackBlockOutcomes(packed)).toMatchObject({ atMs: 12, attempt: 65_535 });
  });

  it('are refused when a byte is missing or one too many, wherever they were cut', () => {
    const packed = packBlockOutcomes(fullBlock(() => 201));
    for (const length of [0, 1, 20, 31, 100, packed.length - 1]) {
      expect(() => unpackBlockOutcomes(packed.subarray(0, length))).toThrow(RangeError);
    }
    expect(() => unpackBlockOutcomes(Uint8Array.of(...packed, 0))).toThrow('cut off');
  });

  it('are refused when another version wrote them, or they hold codes of one', () => {
    const packed = packBlockOutcomes(fullBlock(() => 201));
    expect(() => unpackBlockOutcomes(packed.with(0, 2))).toThrow('version 2');
    expect(() => unpackBlockOutcomes(packed.with(31, outcomes.length))).toThrow('newer version');
  });

  it('are refused when the map and the rows do not agree', () => {
    const packed = packBlockOutcomes(
      blockOf(usual, [{ slot: 0, outcome: 1, failure: 0, status: 201, service: 1, latency: 5 }]),
    );
    expect(() => unpackBlockOutcomes(packed.with(36, 3))).toThrow('more targets');
    expect(() => unpackBlockOutcomes(packed.with(36, 0))).toThrow('fewer targets');
    expect(() => unpackBlockOutcomes(packed.with(36 + 128, 1))).toThrow('a kind');
  });

  it('refuse a seq outside the block, and one that comes twice', () => {
    const one = { outcome: 1, failure: 0, status: 201, service: 1, latency: 5 };
    const stray = { ...blockOf(usual, [{ ...one, slot: 0 }]), seqs: Uint32Array.of(5) };
    expect(() => packBlockOutcomes(stray)).toThrow('not in block 2');
    expect(() =>
      packBlockOutcomes(
        blockOf(usual, [
          { ...one, slot: 4 },
          { ...one, slot: 4 },
        ]),
      ),
    ).toThrow('twice');
  });
});
