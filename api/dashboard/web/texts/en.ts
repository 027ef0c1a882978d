import { atOnce } from './en/at-once.ts';
import { home } from './en/home.ts';
import { later } from './en/later.ts';
import { seldom } from './en/seldom.ts';

/** English. Each feature's texts are in a file of their own; a text's variables are its parameters. */
export const en = { ...atOnce, ...home, ...later, ...seldom } as const;
