import type { ImportRow } from './row.ts';

/** The columns of the staging table, in the order of `copyLine`. */
export const stagingColumns = [
  'n integer',
  'endpoint text',
  'p256dh bytea',
  'auth bytea',
  'user_identity text',
  'tags jsonb',
  'country text',
  'device_type text',
  'time_zone text',
  'language text',
  'created_at timestamptz',
  'vapid_key_number smallint',
  'last_seen_at timestamptz',
  'external_ids jsonb',
] as const;

const CHUNK_ROWS = 500;

/** Rows in COPY's text format, in pieces of some 200 KB. */
export function* copyText(rows: readonly ImportRow[]): Generator<Buffer> {
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const lines = rows.slice(start, start + CHUNK_ROWS).map((row, index) => copyLine(start + index, row));
    yield Buffer.from(lines.join(''));
  }
}

const copyLine = (n: number, row: ImportRow): string =>
  `${n}\t${escaped(row.endpoint)}\t\\\\x${row.p256dh.toString('hex')}\t\\\\x${row.auth.toString('hex')}\t` +
  `${orNull(row.userIdentity)}\t${escaped(row.tags)}\t${orNull(row.country)}\t${orNull(row.device)}\t${orNull(row.timeZone)}\t${orNull(row.language)}\t` +
  `${row.createdAt?.toISOString() ?? '\\N'}\t${row.vapidKeyNumber ?? '\\N'}\t` +
  `${row.lastSeenAt?.toISOString() ?? '\\N'}\t${escaped(row.externalIds)}\n`;

const orNull = (text: string | null): string => (text === null ? '\\N' : escaped(text));

const special: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const needsEscape = /[\\\t\n\r]/;
const escaped = (text: string): string =>
  needsEscape.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (found) => special[found] ?? found) : text;
