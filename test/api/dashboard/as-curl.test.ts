// tier: core
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asCurl } from '../../../api/dashboard/web/reports/as-curl.ts';
import { bodyOf, newFilter, newReport } from '../../../api/dashboard/web/reports/report.ts';
import { bodiesOf } from '../../../api/dashboard/web/reports/requests.ts';

it('a report as curl is the same one in a shell, whatever its filters say, and holds no token', () => {
  const said = fc.oneof(
    fc.constantFrom("o'neil", '$HOME', '`id`', '"; rm -rf ~', '\\', 'line\nbreak', '%s ☀', '!!'),
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
  );
  const property = fc.property(fc.array(said, { minLength: 1, maxLength: 3 }), (selectedValues) => {
    const draft = {
      ...newReport(),
      groups: [{ id: 'a', filters: [{ ...newFilter(), value: 'ad_unit' as const, selectedValues }] }],
    };
    const script = `curl() { printf '%s\\0' "$@"; }\n${asCurl(draft)}`;
    const env = { BROADSIDE_REPORTING_URL: 'http://127.0.0.1:1', BROADSIDE_REPORT_TOKEN: '1|secret' };
    const args = execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).split('\0');
    expect(args.slice(0, -2)).toEqual([
      'http://127.0.0.1:1/api/v1/reports/generate',
      ...['-H', 'authorization: Bearer 1|secret', '-H', 'content-type: application/json', '-d'],
    ]);
    expect(JSON.parse(args.at(-2) ?? '')).toEqual(JSON.parse(JSON.stringify(bodyOf(draft))));
  });
  fc.assert(property, { numRuns: 30 });
});

it('a pivot beside an earlier period is both of its requests, one after the other', () => {
  const draft = {
    ...newReport(),
    ...({ dimensions: ['domain', 'country'], columns: 'country', compare: 'same_weekdays' } as const),
    ...{ period: '' as const, from: '2026-03-02', to: '2026-03-08' },
    trail: [
      {
        pressed: [{ dimension: 'device' as const, value: "o'neil" }],
        before: {
          dimensions: ['device' as const],
          columns: '' as const,
          period: '' as const,
          from: '',
          to: '',
        },
      },
    ],
  };
  const script = `curl() { printf '%s\\n' "\${7}"; }\n${asCurl(draft)}`;
  const said = execFileSync('/bin/sh', ['-c', script], { env: {}, encoding: 'utf8' }).trim().split('\n');
  expect(said.map((body) => JSON.parse(body))).toEqual(JSON.parse(JSON.stringify(bodiesOf(draft))));
  expect(said.map((body) => JSON.parse(body).selectedDate)).toEqual([
    ['2026-03-02', '2026-03-08'],
    ['2026-02-23', '2026-03-01'],
  ]);
  expect(said.every((body) => body.includes(`"selectedValues":["o'neil"]`))).toBe(true);
});
