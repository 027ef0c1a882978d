// tier: system, clickhouse
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownDomain, storedDomain } from '../../engine/contract/domain-names.ts';
import { insertAdRows } from '../support/ad-stats.ts';
import { cases } from '../support/cases.ts';
import { unzip } from '../support/unzip.ts';
import { createReportToken, generateRequest } from './support.ts';
import { createReportWorld, type ReportWorld } from './world.ts';

describe('the stored form of a domain', () => {
  it.each([
    ['news.example', 'news.example'],
    ['News.EXAMPLE', 'news.example'],
    [' müller-presse.example ', 'xn--mller-presse-dlb.example'],
    ['MÜLLER-Presse.example', 'xn--mller-presse-dlb.example'],
    ['mu\u0308ller-presse.example', 'xn--mller-presse-dlb.example'],
    ['XN--Mller-Presse-dlb.example', 'xn--mller-presse-dlb.example'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['com.müller.app', 'com.xn--mller-kva.app'],
  ])('of %s is %s', (text, stored) => expect(storedDomain(text)).toBe(stored));

  it.each([
    ['Müllers Große App', 'müllers große app'],
    ['ÄPP/7', 'äpp/7'],
    ['ü%41.example', 'ü%41.example'],
    ['ü\tb', 'ü\tb'],
    ['１２', '１２'],
    ['com.Example.App 2', 'com.example.app 2'],
    ['', ''],
  ])('of a text that is not a domain, %j, is the same in lower case', (text, stored) => {
    expect(storedDomain(text)).toBe(stored);
    expect(shownDomain(stored)).toBe(stored);
  });

  it('is that of itself, and of its displayed form', () => {
    const property = fc.property(fc.oneof(fc.domain(), fc.string({ unit: 'grapheme' })), (text) => {
      const stored = storedDomain(text);
      expect(storedDomain(stored)).toBe(stored);
      expect(storedDomain(shownDomain(stored))).toBe(stored);
    });
    fc.assert(property, { numRuns: cases(400, 2_000) });
  });

  it('is shown as it is stored where it leads to no name', () => {
    expect(shownDomain('xn--a.example')).toBe('xn--a.example');
    expect(shownDomain('xn--zzzzzzzzzzz9.example')).toBe('xn--zzzzzzzzzzz9.example');
  });
});

describe.each(['embedded', 'http'] as const)(
  'a publisher whose name is in another script, ClickHouse %s',
  (home) => {
    let world: ReportWorld;
    let token: string;
    let all: string;
    beforeAll(async () => {
      world = await createReportWorld(home);
      const scope = {
        domains: [storedDomain('müller-presse.example')],
        wholesalers: [],
        unrestricted: false,
      };
      token = await createReportToken(world.database, scope);
      all = await createReportToken(world.database);
      const row = (domain: string, subdomain: string, impressions: number) => ({
        ...{ at: '2026-01-31T10:00:00Z', domain, subdomain, impressions: String(impressions) },
      });
      await insertAdRows(world.clickhouse, [
        row('müller-presse.example', 'www.müller-presse.example', 1),
        row('MÜLLER-PRESSE.example', '', 2),
        row('xn--mller-presse-dlb.example', 'xn--a', 4),
        row('other.example', 'Ünter', 8),
        row('Große App', '', 16),
      ]);
    });
    afterAll(() => world.close());

    const body = {
      dimensions: ['domain'],
      metrics: ['impressions'],
      currency: 'EUR',
      selectedDate: ['2026-01-31', '2026-01-31'],
    };
    const ask = (changes: object = {}, who = token) =>
      world.app.inject(generateRequest(who, { ...body, ...changes }));
    const filtered = async (comparator: string, selectedValues: string[], value = 'domain') => {
      const filters = [{ value, type: 'dimension', comparator, selectedValues }];
      const answer = await ask({ filter_groups: [{ operator: 'or', filters }] }, all);
      return answer.json().data.map((row: { domain: string }) => row.domain);
    };
    const [publisher, other, app] = ['müller-presse.example', 'other.example', 'große app'];

    it('sees its rows, however they were written, under the name that it knows', async () => {
      expect((await ask()).json().data).toEqual([{ domain: publisher, impressions: 7 }]);
      expect((await ask({ dimensions: ['subdomain'] })).json().data).toEqual([
        { subdomain: '', impressions: 2 },
        { subdomain: 'www.müller-presse.example', impressions: 1 },
        { subdomain: 'xn--a', impressions: 4 },
      ]);
    });

    it('sees that name in every format', async () => {
      expect(parse((await ask({ format: 'csv' })).body, { columns: true })).toEqual([
        { domain: publisher, impressions: '7' },
      ]);
      expect(JSON.parse((await ask({ format: 'ndjson' })).body).domain).toBe(publisher);
      const sheet = unzip((await ask({ format: 'xlsx' })).rawPayload).get('xl/worksheets/sheet1.xml');
      expect(sheet?.toString()).toContain(`>${publisher}</t>`);
      expect((await ask({ format: 'parquet' })).rawPayload.includes(publisher)).toBe(true);
    });

    it('stands where its name is looked for, in either direction', async () => {
      for (const [direction, names] of [
        ['asc', [app, publisher, other]],
        ['desc', [other, publisher, app]],
      ] as const) {
        const { data } = (await ask({ sort: [{ by: 'domain', direction }] }, all)).json();
        expect(data.map((row: { domain: string }) => row.domain)).toEqual(names);
      }
      const sorted = { dimensions: ['subdomain'], sort: [{ by: 'subdomain' }] };
      const { data } = (await ask(sorted, all)).json();
      expect(data.map((row: { subdomain: string }) => row.subdomain)).toEqual([
        ...['', 'www.müller-presse.example', 'xn--a', 'ünter'],
      ]);
    });

    it('is found by each of its names', async () => {
      for (const name of ['müller-presse.example', 'MÜLLER-Presse.Example', 'xn--mller-presse-dlb.example']) {
        expect(await filtered('in', [name])).toEqual([publisher]);
        expect(await filtered('nin', [name])).toEqual([app, other]);
      }
      expect(await filtered('is_any_of', ['ünter'], 'subdomain')).toEqual([other]);
      expect(await filtered('in', ['GROSSE APP'])).toEqual([]);
      expect(await filtered('in', ['GROßE APP'])).toEqual([app]);
    });

    it('is found by parts of the name that is shown', async () => {
      expect(await filtered('contains', ['MÜLL'])).toEqual([publisher]);
      expect(await filtered('starts_with', ['mü'])).toEqual([publisher]);
      expect(await filtered('starts_with', ['xn--'])).toEqual([publisher]);
      expect(await filtered('contains', ['mller'])).toEqual([]);
      expect(await filtered('ends_with', ['.example'])).toEqual([other, publisher]);
      expect(await filtered('not_contains', ['müller'])).toEqual([app, other]);
      expect(await filtered('contains', ['presse', 'app'])).toEqual([app, publisher]);
    });
  },
);
