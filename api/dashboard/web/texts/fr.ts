import { atOnce } from './fr/at-once.ts';
import { home } from './fr/home.ts';
import { later } from './fr/later.ts';
import { seldom } from './fr/seldom.ts';
import type { Texts } from './texts.ts';

/** French, file by file as in English. */
export const fr: Texts = { ...atOnce, ...home, ...later, ...seldom };
