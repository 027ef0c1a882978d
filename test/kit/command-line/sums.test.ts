// tier: postgres
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRow } from '../../../api/cli/import/row.ts';
import { subscriptionRules } from '../../../api/cli/import/rules.ts';
import { runImport } from '../../../api/cli/import/run-import.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import {
  type ImportEncoding,
  type ImportFormat,
  type ImportRecord,
  type ImportRecords,
  readRecords,
} from '../../../engine/kit/command-line/file/records.ts';
import { parseColumnRules } from '../../../reporting/cli/ad-stats/columns.ts';
import { readTextFile } from '../../../reporting/cli/ad-stats/reading/records.ts';
import { readTextRows } from '../../../reporting/cli/ad-stats/text-rows.ts';
import { newKeys } from '../../api/support.ts';
import { cases } from '../../support/cases.ts';

const RUNS = cases(400, 2_000);

const HEADER = 'endpoint,p256dh,auth,day\n';
const columns = parseColumnRules([], ['endpoint,p256dh,auth']);
const keys = newKeys();
const goodLine = (n: number): string =>
  `https://push.example.com/${n},${keys.p256dh},${keys.auth},2026-01-0${1 + (n % 9)}\n`;
const goodJson = (n: number): string =>
  `${JSON.stringify({ endpoint: `https://push.example.com/${n}`, ...keys, day: '2026-01-01' })}\n`;

interface Input {
  readonly bytes: Buffer;
  readonly format: ImportFormat;
  readonly encoding: ImportEncoding;
  readonly size: number;
}

async function* inPieces({ bytes, size }: Input): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What came out of a file, in lines of it: `read` must be the sum of the other three. */
interface Sums {
  readonly read: number;
  /** What the reader gave, good or not; the rules of the field judge it later. */
  readonly given: number;
  readonly setAside: number;
  readonly passedOver: number;
}

/** Whom each record went to, as the reader gave it. */
type Places = readonly Pick<ImportRecord, 'line' | 'lines' | 'raw'>[];

function spying(records: ImportRecords): { readonly records: ImportRecords; readonly seen: ImportRecord[] } {
  const seen: ImportRecord[] = [];
  async function* read(): AsyncGenerator<ImportRecord[]> {
    for await (const piece of records) {
      seen.push(...piece);
      yield piece;
    }
  }
  return { seen, records: { counts: records.counts, [Symbol.asyncIterator]: read } };
}

interface Outcome {
  readonly sums: Sums;
  readonly places: Places;
}

function outcomeOf(seen: readonly ImportRecord[], counts: ImportRecords['counts']): Outcome {
  const linesOf = (some: readonly ImportRecord[]): number => some.reduce((sum, { lines }) => sum + lines, 0);
  return {
    sums: {
      read: counts.lines,
      given: linesOf(seen.filter((record) => 'value' in record)),
      setAside: linesOf(seen.filter((record) => 'unreadable' in record)),
      passedOver: counts.passedOver,
    },
    places: seen.map(({ line, lines, raw }) => ({ line, lines, raw })),
  };
}

/** As `ad-stats import` reads: every record is a row of the text that ClickHouse gets, set aside or not. */
async function adStats(input: Input): Promise<Outcome> {
  const { encoding, format } = input;
  const file = readTextFile(inPieces(input), format, { columns, encoding, separator: null });
  const { records, seen } = spying(file);
  let rows = 0;
  let unreadable = 0;
  for await (const piece of readTextRows(file, records, {
    ...{ load: 1, source: 'test', currency: 'EUR', columns, rowsBefore: 0, scale: {}, zone: null },
    style: { mark: '.', order: null },
    times: { declared: null, midnightIs: 'day' },
  })) {
    const lines = Buffer.from(piece.bytes).toString().split('\n').slice(0, -1);
    expect(lines).toHaveLength(piece.rows);
    rows += piece.rows;
    unreadable += lines.filter((line) => line.split('\t')[3] !== '').length;
  }
  expect(rows).toBe(seen.length);
  // Of what could be read, rows that hold no field of ad statistics are set aside too.
  expect(unreadable).toBeGreaterThanOrEqual(seen.filter((record) => 'unreadable' in record).length);
  return outcomeOf(seen, records.counts);
}

/** As `import subscriptions` reads: every record is in, or refused with its line. */
async function subscriptions(input: Input): Promise<Outcome> {
  const read = readRecords(inPieces(input), input.format, subscriptionRules, input.encoding);
  const { records, seen } = spying(read);
  const refused: number[] = [];
  const counts = await runImport(records, {
    storeBatch: async (rows) => rows.length,
    parse: (value) => parseRow(value, { hosts: ['push.example.com'], allowAnyHost: false }),
    onRefusal: ({ line }) => void refused.push(line),
    onProgress: () => {},
  });
  expect(counts.lines).toBe(seen.length);
  expect(counts.inserted + counts.updated + counts.refused).toBe(counts.lines);
  expect(refused).toHaveLength(counts.refused);
  return outcomeOf(seen, read.counts);
}

const commands = { 'ad-stats import': adStats, 'import subscriptions': subscriptions } as const;

const linesIn = (bytes: Buffer): number =>
  bytes.filter((byte) => byte === 10).length + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);

const parts = (format: ImportFormat) =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.nat({ max: 50 }).map((n) => Buffer.from(format === 'csv' ? goodLine(n) : goodJson(n))),
      },
      // A good row over two lines.
      {
        weight: 2,
        arbitrary: fc.constant(Buffer.from('https://push.example.com/q,"k\nl",auth,2026-01-01\n')),
      },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom(',', '\n', '\r\n', '\n\n', '"a\nb",', 'ü\n', '{"day":1}\n', '[]\n')
          .map((text) => Buffer.from(text)),
      },
      { weight: 1, arbitrary: fc.constantFrom('"', '""').map((text) => Buffer.from(text)) },
      // A word in the other encoding.
      { weight: 2, arbitrary: fc.constant(Buffer.from('m\xfcller,x,y,2026-01-01\n', 'latin1')) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
    ),
    { maxLength: 30, size: 'max' },
  );

const inputs = (format: ImportFormat): fc.Arbitrary<Input> =>
  fc
    .record({
      parts: parts(format),
      // Cut anywhere after the header, in the middle of characters too.
      kept: fc.double({ min: 0, max: 1, noNaN: true }),
      encoding: fc.constantFrom<ImportEncoding>('utf-8', 'latin1'),
      size: fc.integer({ min: 1, max: 200 }),
    })
    .map(({ parts: pieces, kept, encoding, size }) => {
      const body = Buffer.concat(pieces);
      const header = Buffer.from(format === 'csv' ? HEADER : '');
      const bytes = Buffer.concat([header, body.subarray(0, Math.ceil(body.length * kept))]);
      return { bytes, format, encoding, size };
    });

const attempt = (work: Promise<Outcome>): Promise<Outcome | string> =>
  work.catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    return error.message;
  });

describe.each(['csv', 'ndjson'] as const)('a file of any bytes (%s)', (format) => {
  it.each(Object.entries(commands))(
    'adds up in %s: read = given + set aside + ignored',
    async (_, command) => {
      let whole = 0;
      await fc.assert(
        fc.asyncProperty(inputs(format), async (input) => {
          const outcome = await attempt(command(input));
          if (typeof outcome === 'string') return void expect(outcome).toMatch(/quote|UTF-16/);
          const { read, given, setAside, passedOver } = outcome.sums;
          expect(read).toBe(linesIn(input.bytes));
          expect(given + setAside + passedOver).toBe(read);
          if (given > 0 && setAside > 0) whole++;
        }),
        { numRuns: RUNS },
      );
      // Not all of them trivial.
      expect(whole).toBeGreaterThan(RUNS / 40);
    },
  );

  it('is read alike by both commands, record by record, or ends both at the same quote', async () => {
    await fc.assert(
      fc.asyncProperty(inputs(format), async (input) => {
        const [one, other] = [await attempt(adStats(input)), await attempt(subscriptions(input))];
        expect(one).toEqual(other);
      }),
      { numRuns: RUNS },
    );
  });
});
