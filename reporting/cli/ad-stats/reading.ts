import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { KnownFile } from '../../ingest/ad-loads.ts';
import type { ReadingOptions } from './options.ts';
import { kindOf } from './source.ts';
import { DEFAULT_CURRENCY } from './values/clean.ts';

/** The options that decide what the rows of a file mean, as one text: the same bytes read otherwise are other rows. */
export function readingOf(file: string, reading: ReadingOptions): string {
  const { format, currency, columns, encoding, grain, separator, decimal, dates, scale, zone, sheet } =
    reading;
  const kind = kindOf(file, format).format;
  const named = { separator, decimal, dates, zone, sheet, grain, profile: columns.profile?.name ?? null };
  return JSON.stringify({
    '--format': kind,
    '--currency': currency ?? DEFAULT_CURRENCY,
    '--map': [...columns.mapped].map(([column, field]) => `${column}=${field}`).toSorted(),
    '--ignore': columns.ignored.toSorted(),
    ...(kind === 'parquet' ? {} : { '--encoding': encoding }),
    ...(Object.keys(scale).length === 0 ? {} : { '--scale': Object.entries(scale).toSorted() }),
    ...Object.fromEntries(
      Object.entries(named).flatMap(([name, value]) => (value === null ? [] : [[`--${name}`, value]])),
    ),
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
