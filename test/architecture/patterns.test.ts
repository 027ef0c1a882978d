// tier: core
import { describe, expect, it } from 'vitest';
import { unprovenPatterns } from './check-patterns.ts';
import { patternFaults } from './patterns.ts';
import { temporaryTree } from './temporary-tree.ts';

const wordsOf = (code: string): string[] => patternFaults('seed.ts', code).map(({ words }) => words);

describe('the check of regular expressions', () => {
  it.each([
    String.raw`text.replace(/\/+$/, '');`,
    String.raw`text.replaceAll(/\{\{.*?\}\}/g, 'x');`,
    String.raw`/\s+$/.test(text);`,
    '/^(a+)+$/.test(text);',
    String.raw`/^\d*\w*x/.test(text);`,
    String.raw`new RegExp('[a-z]+[0-9]*[a-z]+$');`,
    String.raw`RegExp('x*y', 'g');`,
    String.raw`const schema = { pattern: '.*@.*\\.$' };`,
    String.raw`const wordPattern = '\\w+\\s*\\w+!';`,
  ])('names what may take the square of its text: %s', (code) => {
    expect(wordsOf(code)).toEqual([
      expect.stringMatching(/^takes a time that (grows with the square|doubles)/),
    ]);
  });

  it.each([
    [String.raw`/^a.*?b$/.test(text);`, 'has a lazy quantifier'],
    [String.raw`/^([a-z]+\.)+$/.test(text);`, 'has a repetition inside a repetition'],
    ['new RegExp(`^$' + '{name}$`);', 'is put together at run time, so nobody can judge it'],
    ['const schema = { pattern: made() };', 'is put together at run time, so nobody can judge it'],
  ])('names what has to be proven: %s', (code, words) => {
    expect(wordsOf(code)).toEqual([words]);
  });

  it.each([
    String.raw`text.replace(/(?<!\/)\/+$/, '').replaceAll(/\{\{[^{}]*\}\}/g, 'x');`,
    String.raw`text.split(/\s+/).map((word) => /^[a-z]{1,20}$/.test(word));`,
    String.raw`const clockPattern = '^\\d\\d:\\d\\d$'; new RegExp(clockPattern); const field = { pattern: clockPattern };`,
  ])('lets pass what takes a time in proportion to its text: %s', (code) => {
    expect(wordsOf(code)).toEqual([]);
  });

  it('fails for a seeded one of each folder of production, and says where and how to fix it', async () => {
    const slow = String.raw`export const bare = (text: string) => text.replace(/\/+$/, '');`;
    const seeds = ['engine/campaigns/a.ts', 'api/client/b.ts', 'api/dashboard/web/c.tsx', 'reporting/d.ts'];
    await using tree = await temporaryTree(Object.fromEntries(seeds.map((file) => [file, slow])));
    const { faults } = unprovenPatterns(tree.root);
    for (const seed of seeds)
      expect(faults.filter((fault) => fault.startsWith(`${seed}:1 `))).toEqual([
        expect.stringMatching(/\n {4}Write it so that it cannot/),
      ]);
  });
});
