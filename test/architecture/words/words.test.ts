// tier: core
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, temporaryTree } from '../temporary-tree.ts';
import { wordFaults } from './check-words.ts';
import { findingsIn } from './rules.ts';
import { textsOf } from './texts.ts';
import { words } from './word-list.ts';

const messagesOf = (file: string, content: string): string[] =>
  textsOf(file, content).flatMap((text) => findingsIn(text).map(({ line, message }) => `${line} ${message}`));

describe('the glossary', () => {
  const rows = readFileSync(join(repositoryRoot, 'engine/ARCHITECTURE.md'), 'utf8')
    .split('## Words')[1]
    ?.matchAll(/^\| (?!word|-)([^|]+) \|/gm);
  const glossary = [...(rows ?? [])].map((row) => row[1] as string);

  it('has thirty words at most, each once', () => {
    expect(glossary.length).toBeGreaterThan(20);
    expect(glossary.length).toBeLessThanOrEqual(30);
    expect(new Set(glossary).size).toBe(glossary.length);
  });

  it.each(glossary)('has %s because the code uses it', (word) => {
    const files = execFileSync('git', ['grep', '-liw', word, '--', 'engine', 'api'], { cwd: repositoryRoot });
    expect(files.toString().split('\n').length).toBeGreaterThan(5);
  });
});

describe('a word that is on the list', () => {
  it.each([
    ['a document', 'README.md', 'One.\n\nFirst mend the server.', '3 “mend”: write fix'],
    [
      'a comment',
      'engine/a.ts',
      '/** Written anew\n * here. */\nexport const a = 1;',
      '1 “anew”: write again',
    ],
    [
      'a message',
      'api/a.ts',
      "throw new Error('this takes the ability of a role');",
      '1 “this takes the ability”: write requires',
    ],
    [
      'a message around a value',
      'api/a.ts',
      `fail(\`the file \${name} is no list of rows\`);`,
      '1 “is no list”: write is not a …',
    ],
    [
      'a text of a page',
      'api/a.tsx',
      'export const a = <p>Look at the server first.</p>;',
      '1 “Look at”: write check, read or see',
    ],
    [
      'a statement’s comment',
      'engine/a.sql',
      'SELECT 1;\n-- Written for good by this.',
      '2 “for good”: write permanently',
    ],
    [
      'a title of a test',
      'test/a.test.ts',
      "it('is read by a process via the log', () => {});",
      '1 “via”: write through, by or with',
    ],
    [
      'a comment that uses a former name',
      'engine/a.ts',
      '// The sender is halted.',
      '1 “halted”: write pause or stop',
    ],
    ['a setting', '.env.example', '# A path, e.g. of a key.', '1 “e.g.”: write for example'],
  ])('is found in %s, with its line and the word to use', (_, file, content, message) => {
    expect(messagesOf(file, content)).toEqual([message]);
  });

  it('is left alone in code, links and what tests feed the product with', () => {
    expect(messagesOf('README.md', 'See `mend`, [it](mend.md) and:\n\n```sh\nmend anew\n```\n')).toEqual([]);
    expect(messagesOf('test/a.test.ts', "send({ title: 'Mend the roof anew' });")).toEqual([]);
    expect(messagesOf('engine/a.ts', "query('SELECT mend FROM anew WHERE a is no list');")).toEqual([]);
  });

  it('has a word to use in its place, and is named once', () => {
    expect(words.length).toBeGreaterThan(30);
    for (const { use } of words) expect(use).toMatch(/\w/);
    expect(new Set(words.map(({ not }) => not.source)).size).toBe(words.length);
  });
});

describe('a sentence', () => {
  it('has no word twice, and the article of its sound', () => {
    expect(messagesOf('README.md', 'It is is an server.')).toEqual([
      expect.stringContaining('repeated `is`'),
      expect.stringContaining('article `an` before `server`'),
    ]);
  });

  it.each([
    ['a small letter', '// reads a row.', 'begin a comment with a capital'],
    ['no full stop', '// Reads a row', 'end a comment with a full stop'],
  ])('in a comment is refused with %s', (_, comment, message) => {
    expect(messagesOf('engine/a.ts', `${comment}\nexport const a = 1;`)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it.each([
    `// ${['biome', 'ignore'].join('-')} lint/a: tools read this`,
    '/** @returns the row, or null. */',
    '/** Reads rows:\n *\n *   a  1\n *   b  2\n */',
    '// `kafkajs` asks once.',
  ])('in a comment may be %j', (comment) => {
    expect(messagesOf('engine/a.ts', `${comment}\nexport const a = 1;`)).toEqual([]);
  });
});

it('a tree with a fault fails the check', async () => {
  await using tree = await temporaryTree({ 'README.md': 'Please mend it.' });
  expect(wordFaults(tree.root, ['README.md']).faults).toEqual([
    'README.md:1 “Please”: write nothing: a request needs no please',
    'README.md:1 “mend”: write fix',
  ]);
});
