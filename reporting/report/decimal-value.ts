import { METRIC_VALUE_PLACES } from './limits.ts';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * The shortest decimal that reads as this number, which is the one in the body: 0.1 is exactly 0.1. Null where
 * it has more places than metrics are compared with. Within 10^15 the text has no positive exponent.
 */
export function decimalOf(value: number): string | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(String(value)) ?? [];
  if (whole === '') return null;
  const places = fraction.length - Number(exponent);
  if (places > METRIC_VALUE_PLACES || Number(exponent) > 0) return null;
  const digits = (whole + fraction).padStart(places + 1, '0');
  if (places === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
