/** Exact fractions of whole numbers; the divisor is above zero. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export const fraction = (top: bigint, bottom = 1n): Fraction => ({ top, bottom });
export const plus = (a: Fraction, b: Fraction): Fraction =>
  a.bottom === b.bottom
    ? { top: a.top + b.top, bottom: a.bottom }
    : { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom };
export const times = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.top,
  bottom: a.bottom * b.bottom,
});
export const compareFractions = (a: Fraction, b: Fraction): number => {
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** As a decimal of at most this number of places, halves away from zero, without zeros at its end. */
export function written({ top, bottom }: Fraction, places: number): string {
  const scaled = (top < 0n ? -top : top) * 10n ** BigInt(places);
  let units = scaled / bottom;
  if ((scaled % bottom) * 2n >= bottom) units += 1n;
  const digits = String(units).padStart(places + 1, '0');
  const tail = digits.slice(digits.length - places).replace(/0+$/, '');
  const text = digits.slice(0, digits.length - places) + (tail === '' ? '' : `.${tail}`);
  return top < 0n && units !== 0n ? `-${text}` : text;
}

/** The decimal that a number is written as. */
export function readNumber(value: number): Fraction {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', tail = ''] = mantissa.split('.');
  const shift = tail.length - Number(exponent);
  return shift >= 0
    ? fraction(BigInt(whole + tail), 10n ** BigInt(shift))
    : fraction(BigInt(whole + tail) * 10n ** BigInt(-shift));
}
