// tier: unit
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastReleaseIn } from '../upgrade/release-heading.ts';
import { commandsOf, documents, proseOf, readDocument, root } from './markdown.ts';

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** @returns why the link leads nowhere; null where it does lead somewhere. */
function faultOf(file: string, link: string): string | null {
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? file : join(dirname(file), path);
  if (!existsSync(join(root, target))) return `${file}: ${link} is not there`;
  if (anchor === undefined || anchorsOf(readDocument(target)).includes(anchor)) return null;
  return `${file}: ${link} names no heading`;
}

const linksOf = (file: string): string[] =>
  [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link));

/** Phrases of which a plainer form exists; each was once in a document. */
const dialect =
  /\b(tells?|told)\b|\bso (many|long)\b(?! as)|(^|[.;:] )Who(ever)? (?!may|is who)|\bis no attempt\b|clock that is never set|asks no other host|given up early|without a word/gm;

describe('the documents', () => {
  it('are all found', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'api/sdk/README.md']));
    expect(documents.length).toBeGreaterThan(12);
  });

  it('link to what is there', () => {
    const links = documents.flatMap((file) => linksOf(file).map((link) => ({ file, link })));
    expect(links.length).toBeGreaterThan(30);
    expect(links.map(({ file, link }) => faultOf(file, link)).filter((fault) => fault !== null)).toEqual([]);
    expect(faultOf('README.md', 'nothing.md')).not.toBeNull();
    expect(faultOf('README.md', 'test/README.md#nothing')).not.toBeNull();
  });

  it('show pictures that load fast', () => {
    const pictures = documents.flatMap((file) =>
      linksOf(file)
        .filter((link) => /\.(webp|png|svg)$/.test(link))
        .map((link) => join(dirname(file), link)),
    );
    expect(new Set(pictures).size).toBeGreaterThan(3);
    for (const picture of pictures) expect(statSync(join(root, picture)).size, picture).toBeLessThan(200_000);
  });

  it('name only files and folders that there are', () => {
    const paths = documents.flatMap((file) =>
      [...readDocument(file).matchAll(/`((?:engine|api|reporting|bench|test)\/[\w./-]+)`/g)].map(
        ([, path = '']) => ({ file, path }),
      ),
    );
    expect(paths.length).toBeGreaterThan(40);
    const missing = paths.filter(({ path }) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it('name only scripts that there are, and settings that a role reads', () => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };
    const settings = readFileSync(join(root, '.env.example'), 'utf8');
    const named = documents.flatMap((file) => [...readDocument(file).matchAll(/npm run ([\w:-]+)/g)]);
    expect(named.length).toBeGreaterThan(40);
    expect(named.map(([, script = '']) => script).filter((script) => !(script in scripts))).toEqual([]);
    const exported = documents
      .flatMap(commandsOf)
      .flatMap(({ text }) => [...text.matchAll(/\b([A-Z][A-Z_]+)=/g)])
      .map(([, name = '']) => name);
    expect(exported.length).toBeGreaterThan(10);
    // Of the shell and of psql, not of ours.
    const own = exported.filter((name) => name !== 'PATH' && name !== 'PGPASSWORD');
    expect(own.filter((name) => !settings.includes(`#${name}=`))).toEqual([]);
  });

  it('keep README to what a newcomer reads in four minutes', () => {
    const words = proseOf('README.md').split(/\s+/).length;
    expect(words).toBeGreaterThan(300);
    // Four minutes at 250 words a minute; tables are skimmed.
    expect(words).toBeLessThan(1_000);
  });

  it('date every release but the next one, which is not a release to upgrade from', () => {
    const [next, ...released] = readDocument('CHANGELOG.md').match(/^## .+$/gm) ?? [];
    expect(next).toMatch(/^## \d+\.\d+\.\d+, (not yet released|\d{4}-\d\d-\d\d)$/);
    expect(released.length).toBeGreaterThan(1);
    for (const heading of released) expect(lastReleaseIn(heading)).toBe(heading);
    expect(lastReleaseIn(`## 9.9.9, not yet released\n${released.join('\n')}`)).toBe(released[0]);
    expect(lastReleaseIn('## 9.9.9, not yet released')).toBeNull();
  });

  it('are written in the field’s words', () => {
    const found = documents.flatMap((file) =>
      [
        ...proseOf(file)
          .replaceAll(/`[^`]*`/g, '')
          .matchAll(dialect),
      ].map(([words]) => `${file}: ${words}`),
    );
    expect(found).toEqual([]);
    expect('What is wanted is not given up early'.match(dialect)).not.toBeNull();
    expect('It holds so many readers. Who goes away ends their query'.match(dialect)).toHaveLength(2);
  });
});
