import type { FieldErrors } from '../../engine/kit/http/problem.ts';

/** Fields of a request → what stands in its place in SQL, the first that fits. */
const names: readonly (readonly [field: RegExp, name: string])[] = [
  [/^selectedDate\.0$/, 'The first day'],
  [/^selectedDate.*$/, 'The last day'],
  [/^filter_groups\.\d+\.filters\.\d+\.selectedValues\.\d+$/, 'A value of a condition'],
  [/^filter_groups\.\d+\.filters\.\d+\.selectedValues$/, 'A list of values'],
  [/^filter_groups\.\d+\.filters\..*$/, 'A condition'],
  [/^filter_groups.*$/, 'The list of conditions'],
  [/^(dimensions|metrics).*$/, 'The statement'],
  [/^sort.*$/, 'ORDER BY'],
  [/^limit$/, 'LIMIT'],
  [/^offset$/, 'OFFSET'],
  [/^(currency|timezone|source_days)$/, 'report.$1'],
];

const phrases = [
  ['a shorter selectedDate, or filter_groups', 'fewer days, or more conditions'],
  ['POST /reports/jobs', 'POST /reports/jobs over HTTP'],
  ['fewer dimensions', 'fewer columns'],
  ['set limit', 'add LIMIT'],
  ['set source_days to true', 'SET report.source_days = on'],
] as const;

/** What is wrong with the request that a statement became, for somebody who wrote SQL. */
export const wordsInSql = (errors: FieldErrors): string =>
  Object.entries(errors)
    .flatMap(([field, texts]) => texts.map((text) => text.replaceAll(`The ${field} field`, nameOf(field))))
    .map((text) => phrases.reduce((said, [phrase, inSql]) => said.replaceAll(phrase, inSql), text))
    .join(' ');

function nameOf(field: string): string {
  const found = names.find(([pattern]) => pattern.test(field));
  return found === undefined ? 'The statement' : field.replace(...found);
}
