import { withoutEnd } from './without-end.ts';

/** Exact decimals: an integer with a fixed number of decimal places. No amount ever passes through a double. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** `'-1.5'` with 3 places is -1500n. @throws RangeError when the text is not a decimal, or has more places. */
export function parseDecimal(text: string, places: number): bigint {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === '' || fraction.length > places)
    throw new RangeError(`no decimal of ${places} places: ${text}`);
  const digits = BigInt(whole + fraction.padEnd(places, '0'));
  return sign === '-' ? -digits : digits;
}

/** Without trailing zeros: -1500n with 3 places is `'-1.5'`. */
export function formatDecimal(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = withoutEnd(digits.slice(digits.length - places), '0');
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** To the nearest, halves away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [absolute(dividend), absolute(divisor)];
  const rounded = (2n * top + bottom) / (2n * bottom);
  return negative ? -rounded : rounded;
}

/** To the next one below. @param divisor above zero. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
