import { currencies } from '../../../../engine/contract/currencies.ts';
import { trimmed } from '../../../../engine/contract/trimmed.ts';

/** What stands before the decimals: `1,234.5` or `1.234,5`. */
export type DecimalMark = '.' | ',';

/** A number as people write it. */
export interface WrittenNumber {
  /** Digits, marks and what groups them; no sign. */
  readonly body: string;
  readonly negative: boolean;
  readonly isPercent: boolean;
  /** Its sign or code of a currency, as written; null: it has none. */
  readonly money: string | null;
}

/** More would be an attack, or no figure of a report. */
const MAX_LENGTH = 64;

/** A decimal as this service stores it. Another form may be one too, in another language. */
export const PLAIN = /^-?\d+(?:\.\d+)?$/;
/** Under which a decimal point and a mark of thousands look the same. */
const UNSURE = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** Whether a text is a number in any language, and the same one in each. */
export const isPlain = (text: string): boolean => PLAIN.test(text);
export const isUnsure = (text: string): boolean => UNSURE.test(text);

/** What networks write where there is no value, in lower case. */
const nothing = new Set([
  ...['', '-', '–', '—', '--', 'n/a', 'na', 'null', 'none', '(none)', '(not set)', 'not set'],
  ...['(not applicable)', '(nicht festgelegt)', '(nicht zutreffend)', '(non défini)', '(no definido)'],
]);
export const isNothing = (text: string): boolean => text.length <= 20 && nothing.has(text.toLowerCase());

/** Signs of one currency alone. Of `$`, `¥` and `kr`, several are. */
const moneyOf: Readonly<Record<string, string>> = {
  ...{ '€': 'EUR', '£': 'GBP', '₹': 'INR', '₺': 'TRY', '₽': 'RUB', '₩': 'KRW', '₪': 'ILS', '₫': 'VND' },
  ...{ '฿': 'THB', '₴': 'UAH', '₦': 'NGN', '₱': 'PHP', US$: 'USD', A$: 'AUD', C$: 'CAD', CA$: 'CAD' },
  ...{ AU$: 'AUD', NZ$: 'NZD', HK$: 'HKD', NT$: 'TWD', S$: 'SGD', R$: 'BRL', MX$: 'MXN' },
  ...{ zł: 'PLN', Kč: 'CZK', Ft: 'HUF', lei: 'RON' },
};
const sharedMoney: Readonly<Record<string, readonly string[]>> = {
  $: [
    'USD',
    'AUD',
    'CAD',
    'NZD',
    'HKD',
    'SGD',
    'MXN',
    'ARS',
    'CLP',
    'COP',
    'TWD',
    'BND',
    'FJD',
    'JMD',
    'BBD',
  ],
  '¥': ['JPY', 'CNY'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
};

/** Which currencies a sign or a code may mean: one where it is certain, none where it is not money. */
export function currenciesOf(sign: string): readonly string[] {
  if (Object.hasOwn(moneyOf, sign)) return [moneyOf[sign] as string];
  if (Object.hasOwn(sharedMoney, sign)) return sharedMoney[sign] ?? [];
  const code = sign.toUpperCase();
  return currencies.has(code) ? [code] : [];
}

const isBodyCharacter = (character: string): boolean => /[\d.,'’\u00a0\u202f\u2009 ]/.test(character);

/** Null: it is not a number in any language. */
export function writtenNumber(text: string): WrittenNumber | null {
  let rest = trimmed(text);
  if (rest === '' || rest.length > MAX_LENGTH) return null;
  let negative = false;
  // In books, brackets are below zero.
  if (rest.startsWith('(') && rest.endsWith(')')) [negative, rest] = [true, trimmed(rest.slice(1, -1))];
  const [before, after] = [frontOf(rest), endOf(rest)];
  if (before.length + after.length >= rest.length) return null;
  const signs: string[] = [];
  for (const part of [before, after]) {
    const bare = trimmed(part);
    const minus = /^[-−]|[-−]$/.test(bare);
    if (minus && negative) return null;
    if (minus) negative = true;
    const sign = trimmed(bare.replace(/^[-−+]|[-−+]$/, ''));
    if (sign !== '') signs.push(sign);
  }
  const body = trimmed(rest.slice(before.length, rest.length - after.length));
  const isPercent = signs.includes('%');
  const money = signs.find((sign) => sign !== '%') ?? null;
  if (signs.length > 1 || (money !== null && currenciesOf(money).length === 0)) return null;
  return { body, negative, isPercent, money };
}

function frontOf(text: string): string {
  let end = 0;
  while (end < text.length && !/[\d.,]/.test(text[end] as string)) end++;
  return text.slice(0, end);
}

function endOf(text: string): string {
  let from = text.length;
  while (from > 0 && !isBodyCharacter(text[from - 1] as string)) from--;
  return text.slice(from);
}

/**
 * The digits of a number with that mark before its decimals, such as `1234.5`; null: it cannot be read so.
 * Of a whole number, three digits after one mark are thousands: no count is written with three decimals.
 */
export function digitsOf(body: string, mark: DecimalMark, isCount: boolean): string | null {
  const thousands = mark === '.' ? ',' : '.';
  const parts = body.split(mark);
  if (parts.length > 2) return null;
  const whole = ungrouped(parts[0] ?? '', thousands);
  const decimals = parts[1] ?? '';
  if (whole === null || (parts.length === 2 && !/^\d+$/.test(decimals))) return null;
  if (!isCount) return parts.length === 2 ? `${whole === '' ? '0' : whole}.${decimals}` : whole || null;
  if (/[1-9]/.test(decimals) || (decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole))) return null;
  return whole || null;
}

/** Groups of three, or of two before the last as in India. */
const GROUPED = /^\d{1,3}(?:_\d{3})+$|^\d{1,2}(?:_\d{2})+_\d{3}$/;

function ungrouped(whole: string, thousands: string): string | null {
  if (/^\d*$/.test(whole)) return whole;
  const kinds = new Set(whole.replaceAll(/\d/g, ''));
  const [kind = ''] = kinds;
  if (kinds.size !== 1 || (kind !== thousands && !ANY_GROUP.test(kind))) return null;
  return GROUPED.test(whole.replaceAll(kind, '_')) ? whole.replaceAll(kind, '') : null;
}
const ANY_GROUP = /^[ '’\u00a0\u202f\u2009]$/;

/** `1.5E-7`, as programs write small numbers. */
const EXPONENT = /^([-+]?)(\d{1,20})(?:\.(\d{1,20}))?[eE]([-+]?\d{1,2})$/;
const MAX_EXPONENT = 30;

/** Without its exponent; null: it has none. */
export function withoutExponent(text: string): string | null {
  const [, sign, whole = '', decimals = '', exponent] = EXPONENT.exec(text) ?? [];
  if (exponent === undefined || Math.abs(Number(exponent)) > MAX_EXPONENT) return null;
  return `${sign === '-' ? '-' : ''}${shifted(whole + decimals, decimals.length - Number(exponent))}`;
}

/** Digits with the last `places` of them behind the point. */
function shifted(digits: string, places: number): string {
  if (places <= 0) return digits.padEnd(digits.length - places, '0').replace(/^0+(?=\d)/, '');
  const padded = digits.padStart(places + 1, '0');
  const whole = padded.slice(0, -places).replace(/^0+(?=\d)/, '');
  let end = padded.length;
  while (end > padded.length - places && padded[end - 1] === '0') end--;
  const decimals = padded.slice(padded.length - places, end);
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

/** The exact product of two decimals, as a decimal. */
export function times(number: string, scale: string): string {
  if (scale === '1') return number;
  const negative = number.startsWith('-') !== scale.startsWith('-');
  const [one, other] = [number, scale].map((text) => {
    const [whole = '', decimals = ''] = text.replace('-', '').split('.');
    return { digits: BigInt(whole + decimals), places: decimals.length };
  }) as [Exact, Exact];
  const product = shifted((one.digits * other.digits).toString(), one.places + other.places);
  return negative && product !== '0' ? `-${product}` : product;
}

interface Exact {
  readonly digits: bigint;
  readonly places: number;
}
