// tier: unit
import fc from 'fast-check';
import type { Node } from 'libpg-query';
import { beforeAll, describe, expect, it } from 'vitest';
import { daysThat, timeValue } from '../../../reporting/wire/days-that.ts';
import { evaluate, truthOf } from '../../../reporting/wire/evaluate.ts';
import { loadGrammar, parseStatements } from '../../../reporting/wire/sql.ts';
import { createScope } from '../../../reporting/wire/statement.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
/** From 20 December 2025. */
const DAYS = Array.from({ length: 60 }, (_, index) => 20_442 + index);

beforeAll(loadGrammar);

function conditionOf(sql: string): Node {
  const [node] = parseStatements(`SELECT 1 WHERE ${sql}`);
  if (node === undefined || !('SelectStmt' in node) || node.SelectStmt.whereClause === undefined)
    throw new Error(sql);
  return node.SelectStmt.whereClause;
}

/** Each day by itself. */
function triedOn(condition: Node, days: readonly number[]): number[] {
  const scope = createScope([], NOW, Number.POSITIVE_INFINITY);
  return days.filter(
    (day) => truthOf(evaluate(condition, { ...scope, valueOf: (node) => timeValue(node, day) })) === true,
  );
}

const operators = fc.constantFrom('=', '<>', '!=', '<', '>', '<=', '>=');
const values = fc.constantFrom(
  ...[
    "'2026-01-02'",
    "'2026-02-17'",
    "date '2025-12-31'",
    "timestamp '2026-01-05 12:00'",
    'NULL',
    "'1999-01-01'",
  ],
);
const columns = fc.constantFrom(
  { column: 'day::timestamp', value: values },
  {
    column: "date_trunc('month', day)",
    value: fc.constantFrom("'2026-01-01'", "'2026-01-15'", "date '2026-02-01'"),
  },
  { column: "date_trunc('week', day::timestamp)", value: values },
  { column: 'extract(year from day)', value: fc.constantFrom('2026', '2025.5', 'NULL') },
  { column: 'extract(month from day)', value: fc.constantFrom('1', '12') },
  { column: 'day', value: values },
  { column: 'month', value: fc.constantFrom("'2026-01'", "'2025-13'", "''", "'2026-02'", 'NULL') },
  { column: 'year', value: fc.constantFrom("'2026'", "'2025'", '2026', 'NULL') },
);
const leaf = columns.chain(({ column, value }) =>
  fc.oneof(
    fc.tuple(operators, value).map(([operator, one]) => `${column} ${operator} ${one}`),
    fc.tuple(operators, value).map(([operator, one]) => `${one} ${operator} ${column}`),
    fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => `${column} IN (${list})`),
    fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => `${column} NOT IN (${list})`),
    fc.tuple(value, value).map(([low, high]) => `${column} BETWEEN ${low} AND ${high}`),
    fc.tuple(value, value).map(([low, high]) => `${column} NOT BETWEEN ${low} AND ${high}`),
    value.map((one) => `coalesce(${column} = ${one}, true)`),
    fc.constant(`${column} IS NULL`),
    fc.constant("extract(day from day) = 3 OR date_trunc('month', day) = '2026-02-01'"),
  ),
);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => `(${one}) AND (${other})`),
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => `(${one}) OR (${other})`),
    tie('condition').map((one) => `NOT (${one})`),
  ),
}));

describe('days on which conditions hold', () => {
  it('are those that trying each day finds, whatever the conditions are', () => {
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 3 }), (texts) => {
        const nodes = texts.map(conditionOf);
        const expected = nodes.reduce<readonly number[]>((days, node) => triedOn(node, days), DAYS);
        expect(daysThat(nodes, DAYS, createScope([], NOW))).toEqual(expected);
      }),
      { numRuns: Number(process.env.ORACLE_RUNS ?? 100) },
    );
  });

  it('take few steps for a hundred dates in a row, and name the place of one that is none', () => {
    const years = Array.from({ length: 10_000 }, (_, index) => 10_957 + index);
    const dates = Array.from(
      { length: 100 },
      (_, index) => `day = '2026-01-${String((index % 28) + 1).padStart(2, '0')}'`,
    );
    const scope = createScope([], NOW);
    expect(daysThat([conditionOf(dates.join(' OR '))], years, scope)).toHaveLength(28);
    expect(scope.steps()).toBeLessThan(30_000);
    expect(() => daysThat([conditionOf("day > 'soon'")], DAYS, createScope([], NOW))).toThrow('soon');
  });
});
