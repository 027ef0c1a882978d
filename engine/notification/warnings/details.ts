import { ANDROID_TITLE_LETTERS } from './letters.ts';
import type { Warning, WarningCode } from './warnings.ts';

/** For the API and the command line; the dashboard says each code in its own languages. */
const details: Readonly<Record<WarningCode, string>> = {
  'title-cut-on-android': `Android shows about ${ANDROID_TITLE_LETTERS} characters of a title: put what matters first.`,
  'emoji-only': 'The title is emoji only: screen readers and some devices show none. Add words.',
  'all-capitals': 'The title is all capitals, as spam often is: write it in small letters.',
  'account-threat': 'Threatens the reader’s account, payment or parcel, as deceptive notifications do.',
  prize: 'Says that the reader has won or was chosen, as deceptive notifications do.',
  'fake-system-message': 'Reads like a message of the device about a virus or damage.',
  impersonation: 'Reads as if the browser or the maker of the device had sent it.',
  'money-doubling': 'Promises to multiply the reader’s money, as deceptive notifications do.',
  'look-alike-address': 'Names an address that can be taken for another one.',
  'image-not-served': 'Readers cannot be shown this image.',
  'icon-not-served': 'Readers cannot be shown this icon.',
};

export const detailOf = ({ code }: Warning): string => details[code];
