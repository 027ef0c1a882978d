import type { Texts } from '../texts.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { tr } from './tr.ts';

/** Each becomes a file of its own: a page loads one. */
export const allTexts: Readonly<Record<string, Texts>> = {
  ...{ en, de, fr, es, it, pt, nl, pl, tr },
  ...{ ar, he, ja },
};
