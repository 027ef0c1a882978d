// tier: unit
import { describe, expect, it } from 'vitest';
import { type FrameKind, takeFrame } from '../../../reporting/wire/frames.ts';
import { createWork } from '../../../reporting/wire/work.ts';
import { bind, message, parse, query, startup, sync } from './client.ts';
import { NOW, openWire } from './without-databases.ts';

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
    [
      'terms of a day',
      `SELECT sum(impressions) FROM ad_statistics WHERE ${Array.from({ length: 900 }, (_, i) => `day <> '2020-01-01'::date + ${i}`).join(' AND ')}`,
      '54001',
    ],
  ])('are steps: too many %s', async (_what, sql, state) => {
    const { ask } = await openWire();
    expect(await ask(query(sql))).toBe(state);
  });

  it('are steps of a minute, and then there are new ones', () => {
    let now = NOW;
    const work = createWork(() => now);
    for (let times = 0; times < 30; times++) work.add(100_000);
    expect(() => work.add(1)).toThrow('too many questions about the catalogue in a minute');
    now += 59_999;
    expect(() => work.add(1)).toThrow();
    now += 1;
    work.add(3_000_000);
  });
});
