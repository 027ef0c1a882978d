// tier: unit
import { beforeAll, expect, it } from 'vitest';
import { ReportFailed } from '../../../reporting/answer/report-reader.ts';
import { refusalOf } from '../../../reporting/generate/refusals.ts';
import { jobRequest } from '../../../reporting/report/request.ts';
import { wordsInSql } from '../../../reporting/wire/field-words.ts';
import { loadGrammar, MAX_STATEMENT_BYTES, parseStatements } from '../../../reporting/wire/sql.ts';
import { positionIn, WireError } from '../../../reporting/wire/wire-error.ts';

beforeAll(loadGrammar);

const errorOf = (text: string): WireError | null => {
  try {
    parseStatements(text);
    return null;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
};

/** As many as fit into a statement. */
const filled = (before: string, unit: string, after = ''): string =>
  before + unit.repeat((MAX_STATEMENT_BYTES - before.length - after.length) / unit.length) + after;
const nested = (open: string, close: string, levels: number): string =>
  `select ${open.repeat(levels)}1${close.repeat(levels)}`;

it('reads or refuses the deepest statements, and then those of others', () => {
  const chains = [
    '+1',
    '::int',
    ' union select 1',
    ' and 1',
    ' or 1',
    ' at time zone 1',
    ' is null',
    ' collate a',
    ' in(1)',
  ];
  const nests: [string, string][] = [
    ['(', ')'],
    ['(select ', ')'],
    ['f(', ')'],
    ['array[', ']'],
    ['case 1 when 1 then ', ' end'],
    ['f() filter (where ', ')'],
  ];
  const texts = [
    ...chains.flatMap((unit) => [
      filled('select 1', unit),
      `select 1${unit.repeat(1_999)}`.slice(0, MAX_STATEMENT_BYTES),
    ]),
    ...['- ', 'not '].map((unit) => filled('select ', unit, '1')),
    ...[' join b on 1', ' cross join b'].map((unit) => filled('select 1 from a', unit)),
    ...nests.flatMap(([open, close]) =>
      [499, 1_000, Math.floor((MAX_STATEMENT_BYTES - 10) / (open.length + close.length))].map((levels) =>
        nested(open, close, levels),
      ),
    ),
    `select 1${'+1'.repeat(1_999)}`,
  ];
  // Each again and again: what a statement leaves behind on the grammar's stack adds up.
  for (let round = 0; round < 5; round++)
    for (const text of texts) expect([undefined, '54001', '42601']).toContain(errorOf(text)?.state);
  expect(parseStatements('SELECT 1')).toHaveLength(1);
}, 60_000);

it('knows where a statement ends to be one, in characters', () => {
  const at = (text: string): number | null => {
    const error = errorOf(text);
    return error === null ? null : positionIn(text, error);
  };
  expect(at('SELEC 1')).toBe(1);
  expect(at("SELECT 'ü' + ( FROM x")).toBe(16);
  expect(at('SELECT 1')).toBeNull();
});

it('says what is wrong with the request of a statement in words of SQL', () => {
  const parts = ['selectedDate.0', 'selectedDate.1', 'dimensions.3', 'metrics.1', 'sort.0.by'];
  const deep = ['filter_groups.0', 'filter_groups.3.filters.12', 'filter_groups.0.filters.1.selectedValues'];
  const fields = [...Object.keys(jobRequest.properties), ...parts, ...deep, `${deep[2]}.7`];
  for (const field of fields) {
    const said = wordsInSql({ [field]: [`The ${field} field must be other.`] });
    expect([field, said]).toEqual([field, expect.stringMatching(/^[A-Z r].* must be other\.$/)]);
    expect(said).not.toMatch(/ field |selectedDate|filter_groups|dimensions|_groups|\.\d/);
  }
  expect(
    wordsInSql({ 'selectedDate.1': ['The selectedDate.1 field must be at most 24 months after it.'] }),
  ).toBe('The last day must be at most 24 months after it.');
  const bounds = { seconds: 20, memoryBytes: 1, rows: 10 };
  for (const failure of ['rows', 'time', 'memory'] as const)
    expect(wordsInSql(refusalOf(new ReportFailed(failure, new Error()), bounds) ?? {})).toMatch(
      /^The statement leads to .*: (make it a job \(POST \/reports\/jobs over HTTP\), or )?choose fewer columns, fewer days, or more conditions/,
    );
});
