import { dirname, resolve } from 'node:path';
import type { DocsPage, NavigationGroup } from './layout.ts';
import { drawMarkdown } from './markdown.ts';
import type { SearchEntry } from './search.ts';

/** A text for readers of the documentation; the repository's own, so that nothing is written twice. */
export interface Guide {
  /** In its address: `guides/<name>`. */
  readonly name: string;
  /** The heading above it in the navigation. */
  readonly group: string;
  /** In the navigation. */
  readonly title: string;
  /** One sentence, for the first page. */
  readonly summary: string;
  /** A Markdown file's path. */
  readonly file: string;
}

export interface Guides {
  readonly pages: readonly DocsPage[];
  /** A group for each heading. */
  readonly navigation: readonly NavigationGroup[];
  readonly entries: readonly SearchEntry[];
}

/**
 * @param read a file's text, by its path.
 * @param operations the reference's address of each operation, below `/docs/`
 */
export function drawGuides(
  guides: readonly Guide[],
  read: (file: string) => string,
  operations: ReadonlyMap<string, string>,
): Guides {
  const code = (name: string): string | null => {
    const path = operations.get(name);
    return path === undefined ? null : `../${path}`;
  };
  const drawn = guides.map((guide) => ({
    ...guide,
    ...drawMarkdown(read(guide.file), { link: (target) => leadTo(target, guide, guides), code }),
  }));
  return {
    pages: drawn.map(({ name, title, html }) => ({ path: pathOf(name), title, body: html })),
    navigation: guidesByGroup(guides).map(({ title, guides: own }) => ({
      title,
      pages: own.map(({ name, title: guide }) => ({ path: pathOf(name), title: guide })),
    })),
    entries: drawn.flatMap(({ name, title: place, sections }) =>
      sections.map(({ id, title, text }) => ({ path: `${pathOf(name)}#${id}`, title, place, text })),
    ),
  };
}

/** In the order of their first guides. */
export const guidesByGroup = (
  guides: readonly Guide[],
): readonly { readonly title: string; readonly guides: readonly Guide[] }[] =>
  [...Map.groupBy(guides, ({ group }) => group)].map(([title, own]) => ({ title, guides: own }));

const pathOf = (name: string): string => `guides/${name}`;

/** Files that are guides lead to their pages, other hosts to themselves; the rest is not served here. */
function leadTo(target: string, from: Guide, guides: readonly Guide[]): string | null {
  if (/^https?:/.test(target) || target.startsWith('#')) return target;
  const [path = '', fragment] = target.split('#', 2);
  const file = resolve(dirname(from.file), path);
  const found = guides.find((guide) => guide.file === file);
  if (found === undefined) return null;
  return `./${found.name}${fragment === undefined ? '' : `#${fragment}`}`;
}
