import { domainToASCII, domainToUnicode } from 'node:url';
import { trimmed } from './trimmed.ts';

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * The one form in which a domain is stored and compared: lower case, names in other scripts as `xn--…` (UTS
 * 46), without what stands around it, and without the dot of the root. A text that is not a domain there (an app's id, a
 * label with spaces) is kept, in lower case.
 */
export function storedDomain(text: string): string {
  const lower = withoutRoot(trimmed(text).toLowerCase());
  if (isAscii(lower) || NO_NAME.test(lower)) return lower;
  const ascii = withoutRoot(domainToASCII(lower));
  return ascii === '' || IS_ADDRESS.test(ascii) ? lower : ascii;
}

const withoutRoot = (name: string): string => name.replace(/(?<=[^.])\.$/, '');

/** Where the function would take a part of the text for a host, or read it as a number. */
const NO_NAME = /[\p{Cc}%/:?#@\\[\]]/u;
const IS_ADDRESS = /^\d+(\.\d+){3}$/;

/** The form for display. A name that does not convert back to the stored form is shown as stored. */
export function shownDomain(stored: string): string {
  if (!stored.includes('xn--')) return stored;
  const shown = domainToUnicode(stored);
  return domainToASCII(shown) === stored ? shown : stored;
}
