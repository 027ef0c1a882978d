import { de } from '../../../api/dashboard/web/texts/de.ts';
import { en } from '../../../api/dashboard/web/texts/en.ts';
import { es } from '../../../api/dashboard/web/texts/es.ts';
import { fr } from '../../../api/dashboard/web/texts/fr.ts';

export const catalogues = { en, de, fr, es } as const;
export type Language = keyof typeof catalogues;

export type Leaf = string | ((...parameters: readonly (number | string)[]) => string);

/** Every text by its path: `compose.title`. */
export function leavesOf(texts: object, path = ''): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(texts)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string' || typeof value === 'function') found.set(here, value as Leaf);
    else for (const [inner, leaf] of leavesOf(value as object, here)) found.set(inner, leaf);
  }
  return found;
}

const numbers = [71, 72, 73, 74, 75];
const ways: readonly ((count: number) => readonly never[])[] = [
  (count) => [count, ...numbers.slice(1)] as never[],
  () => numbers.map((each) => `p${each}`) as never[],
  // A lookup of values by their names.
  () => [() => 'p71', 'p72'] as never[],
];

/** With numbers where the text counts, and words elsewhere. */
export function said(leaf: Leaf, count: number): string {
  if (typeof leaf === 'string') return leaf;
  for (const way of ways) {
    try {
      return leaf(...way(count).slice(0, leaf.length));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Error('no way to call a text');
}

/** All its parameters one: as numbers, and as they are shown. A text decides by the one that it takes. */
export function saidOfOne(leaf: Leaf): readonly string[] {
  if (typeof leaf === 'string') return [leaf];
  const given = [1, '1'].map((one) => Array.from({ length: leaf.length }, () => one));
  return given.flatMap((parameters) => {
    try {
      return [leaf(...parameters)];
    } catch (error) {
      if (error instanceof TypeError) return [];
      throw error;
    }
  });
}
