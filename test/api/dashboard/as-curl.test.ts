// tier: core
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asCurl } from '../../../api/dashboard/web/reports/as-curl.ts';
import { bodyOf, newFilter, newReport } from '../../../api/dashboard/web/reports/report.ts';

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
