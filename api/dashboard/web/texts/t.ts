import { en } from './en.ts';

/** Every text of the pages. Another language is another object of this type. */
export type Texts = typeof en;
export const t: Texts = en;
