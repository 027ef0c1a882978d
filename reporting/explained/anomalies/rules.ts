/** A day is compared with the same weekdays of this many weeks before it. */
export const WEEKS = 8;
/** Fewer of them say too little. */
export const LEAST_WEEKS = 4;
export const MOST_A_DAY = 10;
/** The longest period of one question, in days. */
export const MOST_DAYS = 31;
export const PARTS = 5;
/** Smaller differences are nobody's work, in units of the currency. */
export const DEFAULT_AMOUNT = 1;

/**
 * The band of usual values: the median, and to either side 5 median absolute deviations (3.4 standard deviations of a
 * normal distribution) or a tenth of the median, whichever is more: weeks that were nearly the same make no alarm of a
 * cent. All in whole numbers: `twice` is twice the median, `fourfold` four times the deviation.
 */
const DEVIATIONS = 5n;
const SHARE = 10n;

/** Units of a band: a 20th of a unit of the values. */
const FINE = 20n;

export interface Band {
  readonly usual: bigint;
  readonly low: bigint;
  readonly high: bigint;
}

/** In 20ths of a unit. */
export function bandOf(twice: bigint, fourfold: bigint): Band {
  const usual = (FINE / 2n) * twice;
  const deviation = (FINE / 4n) * DEVIATIONS * fourfold;
  const share = (usual < 0n ? -usual : usual) / SHARE;
  const width = deviation > share ? deviation : share;
  return { usual, low: usual - width, high: usual + width };
}

/** As SQL, of columns `twice`, `fourfold` and `size` (twice the distance from the median): whether it is outside of the band. */
export const OUTSIDE_BAND = `${FINE / 2n} * size > greatest(${(FINE / 4n) * DEVIATIONS} * fourfold, toInt256(abs(twice)))`;

/** Of a 20th of a millionth, to millionths. */
export const FINE_UNITS = FINE;
