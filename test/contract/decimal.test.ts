// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideRounded, formatDecimal, parseDecimal } from '../../engine/contract/decimal.ts';

describe('an exact decimal', () => {
  it('is read and written without a loss, at any size', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 26 }), (value, places) => {
        expect(parseDecimal(formatDecimal(value, places), places)).toBe(value);
      }),
    );
  });

  it.each([
    ['0', 3, 0n, '0'],
    ['-0.0', 3, 0n, '0'],
    ['12.5', 8, 1_250_000_000n, '12.5'],
    ['-0.00000001', 8, -1n, '-0.00000001'],
    ['007.10', 2, 710n, '7.1'],
    ['9999999999.99999999', 8, 999_999_999_999_999_999n, '9999999999.99999999'],
  ])('%s of %i places', (text, places, value, written) => {
    expect(parseDecimal(text, places)).toBe(value);
    expect(formatDecimal(value, places)).toBe(written);
  });

  it.each(['', '1.', '.5', '1e3', '+1', '1,5', 'NaN', ' 1', '1.123456789'])('is not "%s"', (text) => {
    expect(() => parseDecimal(text, 8)).toThrow(RangeError);
  });
});

describe('a rounded quotient', () => {
  it.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [5n, -2n, -3n],
    [-5n, -2n, 3n],
    [4n, 3n, 1n],
    [-4n, 3n, -1n],
    [1n, 3n, 0n],
    [-1n, 2n, -1n],
    [0n, -7n, 0n],
  ])('of %s and %s is %s: halves go away from zero', (dividend, divisor, rounded) => {
    expect(divideRounded(dividend, divisor)).toBe(rounded);
  });

  it('is never further than half a unit away, for any signs', () => {
    fc.assert(
      fc.property(
        fc.bigInt(),
        fc.bigInt().filter((divisor) => divisor !== 0n),
        (dividend, divisor) => {
          const rest = 2n * (dividend - divideRounded(dividend, divisor) * divisor);
          expect(rest * rest <= divisor * divisor).toBe(true);
        },
      ),
    );
  });
});
