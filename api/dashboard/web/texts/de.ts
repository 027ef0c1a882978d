import { atOnce } from './de/at-once.ts';
import { home } from './de/home.ts';
import { later } from './de/later.ts';
import { seldom } from './de/seldom.ts';
import type { Texts } from './texts.ts';

/** German, file by file as in English. */
export const de: Texts = { ...atOnce, ...home, ...later, ...seldom };
