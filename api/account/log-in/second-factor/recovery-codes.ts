import { createHash, randomInt } from 'node:crypto';

/** For people who lost their phone: each is good once, in place of a code. */
const COUNT = 10;
/** Without letters and digits that look alike. */
const signs = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Of 31 signs: 79 bits, too many to try, so a fast hash is enough. */
const LENGTH = 16;

export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newCode);

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => signs[randomInt(signs.length)])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-');

/** People type them with blanks and capitals. */
export const recoveryHashOf = (code: string): Buffer =>
  createHash('sha256')
    .update(`broadside recovery ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
    .digest();
