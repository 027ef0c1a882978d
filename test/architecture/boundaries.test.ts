// tier: core
import { dirname, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Cruised, cruiseTree, explainViolation, rules, unmetGuards } from './cruise.ts';
import { allowed, carriers, type Seed, violations } from './seeds.ts';
import { temporaryTree } from './temporary-tree.ts';

const isPath = (to: string): boolean => /^(engine|api|reporting|bench|test)\//.test(to);
const seeds = [...Object.values(violations).flat(), ...allowed];

/** A tree with every seed at once, the files they name, and empty packages under the names of the real ones. */
function seededFiles(): Record<string, string> {
  const packages = seeds.filter(({ to }) => !isPath(to) && !/^node:|not-there/.test(to)).map(({ to }) => to);
  const dependencies = Object.fromEntries(
    packages.filter((name) => name !== 'vitest').map((name) => [name, '1']),
  );
  return {
    'package.json': JSON.stringify({ dependencies, devDependencies: { vitest: '1' } }),
    ...Object.fromEntries(
      packages.flatMap((name) => [
        [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
        [`node_modules/${name}/index.js`, 'module.exports = {};\n'],
      ]),
    ),
    ...Object.fromEntries(
      seeds.filter(({ to }) => isPath(to)).map(({ to }) => [to, 'export const any = 1;\n']),
    ),
    ...Object.fromEntries(seeds.map((seed) => [seed.from, importOf(seed)])),
    ...carriers,
  };
}

function importOf({ from, to, atRunTime = false }: Seed): string {
  const path = relative(dirname(from), to);
  const specifier = isPath(to) ? (path.startsWith('.') ? path : `./${path}`) : to;
  const keyword = atRunTime ? 'import' : 'import type';
  return `${keyword} * as planted from '${specifier}';\nexport type Planted = typeof planted;\nexport type Far = Planted;\n`;
}

describe('the boundaries', () => {
  let seeded: Cruised;
  beforeAll(async () => {
    await using tree = await temporaryTree(seededFiles());
    seeded = await cruiseTree(tree.root);
  });

  it('have a planted violation for every rule', () => {
    expect(Object.keys(violations).toSorted()).toEqual(rules.forbidden.map(({ name }) => name).toSorted());
  });

  it('say in every rule how to resolve a violation', () => {
    for (const { name, comment = '' } of rules.forbidden) expect(comment.length, name).toBeGreaterThan(40);
    const [violation] = seeded.violations;
    if (violation === undefined) throw new Error('nothing was caught');
    expect(explainViolation(violation)).toMatch(/^\S+: \S+ → \S+.*\n {4}\S/);
  });

  it.each(
    Object.entries(violations).flatMap(([rule, planted]) => planted.map((seed) => ({ rule, ...seed }))),
  )('$rule: $from must not reach $to', ({ rule, from, to }) => {
    const caught = seeded.violations.filter((violation) => violation.rule.name === rule);
    // A cycle is reported once, from either end; a distant one from the start of the path to it.
    const begins = { 'no-cycle': [from, to], 'worker-sandbox': ['engine/worker/entry.ts'] }[rule] ?? [from];
    expect(caught.map((violation) => violation.from).some((begin) => begins.includes(begin))).toBe(true);
  });

  it('have no guard of a package that the tree does not meet under that name', () => {
    const all = unmetGuards([]);
    expect(all).toContain('pg-has-one-home');
    const met = unmetGuards([{ source: 'node_modules/pg/lib/index.js' }]);
    expect(all.filter((name) => !met.includes(name))).toEqual(['pg-has-one-home']);
  });

  it.each(allowed)('$from may import $to', ({ from }) => {
    const caught = seeded.violations.filter((violation) => violation.from === from);
    expect(caught.map(explainViolation)).toEqual([]);
  });
});
