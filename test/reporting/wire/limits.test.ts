// tier: unit
import { describe, expect, it } from 'vitest';
import { type FrameKind, takeFrame } from '../../../reporting/wire/frames.ts';
import { createWork } from '../../../reporting/wire/work.ts';
import { bind, message, parse, query, startup, sync } from './client.ts';
import { NOW, openWire } from './without-databases.ts';

/** Sub-selects whose one column is made of the one below. */
const inEachOther = (column: string, made: (name: string) => string): string => {
  let sql = `SELECT ${column} AS x FROM ad_statistics`;
  for (let level = 0; level < 4; level++) sql = `SELECT ${made('x')} AS x FROM (${sql}) s`;
  return sql;
};
const doubled = (times: number, first: string, shown: string, twice = 't || t'): string => {
  const steps = Array.from({ length: times }, (_, at) => `c${at + 1} AS (SELECT ${twice} AS t FROM c${at})`);
  return `WITH c0 AS (SELECT ${first} AS t), ${steps.join(', ')} SELECT ${shown} FROM c${times}`;
};

/** There is nothing in them that could be searched for. */
const triedOnDays = `SELECT sum(impressions) FROM ad_statistics WHERE ${Array.from({ length: 250 }, (_, i) => `extract(day FROM day) + ${i} > 0`).join(' AND ')}`;

describe('the bounds of a message', () => {
  it.each<[FrameKind, number]>([
    ['startup', 10_000],
    ['password', 1_024],
    ['message', 262_144],
  ])('hold of a %s of more than %i bytes before they are collected', (kind, most) => {
    const head = (length: number): Buffer => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(length);
      return kind === 'startup' ? bytes : Buffer.concat([Buffer.from('Q'), bytes]);
    };
    expect(takeFrame(head(most), kind)).toBeNull();
    for (const length of [most + 1, 2 ** 31, 2 ** 32 - 1, 3, 0])
      expect(() => takeFrame(head(length), kind)).toThrow(/is not taken here/);
  });

  it('hold of statements: their length, their number, and the parameters of a log-in', async () => {
    const { ask, raw } = await openWire();
    const long = `SELECT '${'x'.repeat(32_768)}'`;
    expect(await ask(query(long))).toBe('54000');
    expect(await ask(parse('', long), sync)).toBe('54000');
    expect(await ask(query('SELECT 1;'.repeat(16)))).toBe('no error');
    expect(await ask(query('SELECT 1;'.repeat(17)))).toBe('54000');
    expect(await ask(parse('', 'SELECT 1; SELECT 2'), sync)).toBe('42601');
    const many = Array.from({ length: 60 }, (_, index) => `name${index}\0value\0`).join('');
    expect(await raw(startup(many)).ended()).toContain('too many parameters');
  });
});

describe('the bounds of a session', () => {
  it('are 256 prepared statements, a megabyte of them, and 16 portals', async () => {
    const { ask } = await openWire();
    const named = (count: number, sql = 'SELECT 1'): Buffer[] =>
      Array.from({ length: count }, (_, index) => parse(`s${index}`, sql));
    expect(await ask(...named(256), sync)).toBe('no error');
    expect(await ask(...named(257), sync)).toBe('53200');
    expect(await ask(...named(31, `SELECT '${'x'.repeat(32_000)}'`), sync)).toBe('no error');
    expect(await ask(...named(33, `SELECT '${'x'.repeat(32_000)}'`), sync)).toBe('53200');
    const listed = `SELECT 1 WHERE 1 IN (${Array(15_000).fill('1').join(',')})`;
    expect(await ask(...named(1, listed), sync)).toBe('no error');
    expect(await ask(...named(2, listed), sync)).toBe('53200');
    // One that is closed makes room.
    expect(await ask(...named(256), message('C', 'Ss1\0'), parse('one', 'SELECT 1'), sync)).toBe('no error');
    const portals = (count: number): Buffer[] => [
      query('BEGIN'),
      parse('s', 'SELECT 1'),
      ...Array.from({ length: count }, (_, index) => bind(`p${index}`, 's')),
      sync,
    ];
    expect(await ask(...portals(16))).toBe('no error');
    expect(await ask(...portals(17))).toBe('53200');
  });

  it.each([
    [
      'sub-selects in each other',
      `SELECT domain FROM ${'(SELECT * FROM '.repeat(8)}ad_statistics${') AS t'.repeat(8)}`,
      '54001',
    ],
    [
      'joins of the catalogue',
      `SELECT 1 FROM ${Array.from({ length: 4 }, (_, i) => `pg_attribute a${i}`).join(', ')}`,
      '54001',
    ],
    ['rows of a series', 'SELECT count(*) FROM generate_series(1, 100000)', '54001'],
    [
      'alternatives',
      `SELECT sum(impressions) FROM ad_statistics WHERE ${Array.from({ length: 40 }, (_, i) => `(domain = 'd${i}' AND country = 'c${i}')`).join(' OR ')}`,
      '54001',
    ],
    [
      'days of an interval',
      "SELECT sum(impressions) FROM ad_statistics WHERE day > now() - INTERVAL '900000000 months'",
      '22008',
    ],
    ['terms of a day', triedOnDays, '54001'],
    [
      'pairs of series',
      'SELECT count(*) FROM generate_series(1, 5000) a, generate_series(1, 5000) b',
      '54001',
    ],
    [
      'pairs that share no name',
      'SELECT 1 FROM generate_series(1, 5000) a(x) JOIN generate_series(6000, 11000) b(x) USING (x)',
      '54001',
    ],
    ['unions', `SELECT 1 ${'UNION ALL SELECT 1 '.repeat(1_600)}`, '54001'],
    ['names of names', inEachOther('impressions', (name) => Array(60).fill(name).join('+')), '54001'],
    ['days of names', inEachOther('day', (name) => `coalesce(${Array(12).fill(name).join(',')})`), '54001'],
    ['operators in a row', `SELECT day FROM ad_statistics WHERE day > day ${'+1'.repeat(1_900)}`, '54001'],
    ['keys', `SELECT count(*) FROM ad_statistics GROUP BY ${Array(60).fill('day+0').join(',')}`, '54011'],
    ['columns', `SELECT ${Array(1_700).fill('day').join(',')} FROM ad_statistics`, '54011'],
    ['columns of the catalogue', `SELECT ${Array(1_700).fill('1').join(',')}`, '54011'],
    ['characters in twice the text', doubled(40, "'x'::text", 'length(t)'), '54000'],
    ['values in twice the list', doubled(40, 'ARRAY[1,2]', 'array_length(t, 1)'), '54000'],
    ['characters in lists of lists', doubled(40, 'ARRAY[1,2]', 't::text', 'ARRAY[t, t]'), '54000'],
    [
      'characters in place of one',
      `SELECT length(replace('${'x'.repeat(16_000)}', 'x', '${'y'.repeat(16_000)}'))`,
      '54000',
    ],
    [
      'characters between values',
      `SELECT array_to_string(string_to_array('${'x,'.repeat(7_000)}', ','), '${'y'.repeat(16_000)}')`,
      '54000',
    ],
    [
      'values to find in a list',
      `SELECT x FROM (SELECT string_to_array(replace('${'a'.repeat(15_000)}', 'a', 'b,'), ',') AS x) s WHERE x @> x`,
      '54001',
    ],
    ['names to match', `SELECT 'a' ~ '${'b|'.repeat(600)}'`, '0A000'],
  ])('are steps: too many %s', async (_what, sql, state) => {
    const { ask } = await openWire();
    expect(await ask(query(sql))).toBe(state);
  });

  it('leave signs in a row their one meaning', async () => {
    const { ask } = await openWire();
    expect(await ask(query(`SELECT ${'- '.repeat(90)}a FROM (SELECT 1 AS a) s`))).toBe('no error');
  });

  it('hold of names that every object has', async () => {
    const { ask } = await openWire();
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(await ask(query(`SELECT current_setting('${name}')`))).toBe('42704');
      expect(await ask(query(`SELECT format_type('${name}')`))).toBe('no error');
      expect(await ask(query(`SHOW "${name}"`))).toBe('no error');
      expect(await ask(query(`SELECT 1::"${name}"`))).toBe('no error');
    }
  });

  it('are those of a token’s statements in a minute, also of those that are refused', async () => {
    const { logIn } = await openWire();
    const client = await logIn();
    for (let times = 0; times < 11; times++) client.socket.write(query(triedOnDays));
    client.socket.write(message('X'));
    const states = [...(await client.ended()).matchAll(/·C(\w{5})·/g)].map(([, state]) => state);
    expect(states).toEqual([...Array(10).fill('54001'), '53400']);
  });

  it('are steps of a minute, and then there are new ones', () => {
    let now = NOW;
    const work = createWork(() => now);
    for (let times = 0; times < 30; times++) work.add(100_000);
    expect(() => work.add(1)).toThrow('too much work for statements of this token in a minute');
    now += 59_999;
    expect(() => work.add(1)).toThrow();
    now += 1;
    work.add(3_000_000);
  });
});
