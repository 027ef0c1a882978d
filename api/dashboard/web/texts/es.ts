import { atOnce } from './es/at-once.ts';
import { home } from './es/home.ts';
import { later } from './es/later.ts';
import { seldom } from './es/seldom.ts';
import type { Texts } from './texts.ts';

/** Spanish, file by file as in English. */
export const es: Texts = { ...atOnce, ...home, ...later, ...seldom };
