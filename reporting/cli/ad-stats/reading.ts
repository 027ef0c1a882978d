import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { KnownFile } from '../../ingest/ad-loads.ts';
import type { Grain } from '../../ingest/grain.ts';
import type { ColumnRules } from './columns.ts';
import { type AdStatsFormat, kindOf } from './source.ts';

interface Reading {
  readonly format: AdStatsFormat | undefined;
  readonly currency: string;
  readonly columns: ColumnRules;
  readonly encoding: string;
  readonly grain: Grain | null;
}

/** The options that decide what the rows of a file mean, as one text: the same bytes read otherwise are other rows. */
export function readingOf(file: string, { format, currency, columns, encoding, grain }: Reading): string {
  const kind = kindOf(file, format).format;
  return JSON.stringify({
    '--format': kind,
    '--currency': currency,
    '--map': [...columns.mapped].map(([column, field]) => `${column}=${field}`).toSorted(),
    '--ignore': columns.ignored.toSorted(),
    ...(kind === 'parquet' ? {} : { '--encoding': encoding }),
    ...(grain === null ? {} : { '--grain': grain }),
  });
}

/** @throws CliError where the file is in as other rows: to add them would count it twice. */
export function refuseOtherReading(file: string, { reading, load }: KnownFile, asked: string): void {
  if (reading === null || reading === asked) return;
  const [then, now] = [reading, asked].map((text) => JSON.parse(text) as Record<string, unknown>);
  const names = Object.keys({ ...then, ...now });
  const differing = names.filter((name) => JSON.stringify(then?.[name]) !== JSON.stringify(now?.[name]));
  throw new CliError(
    `${file} is in already, read with another ${differing.join(', ')} (load ${load}), and nothing was done: to replace what ` +
      'it brought, add --restate and name all files of its days',
  );
}
