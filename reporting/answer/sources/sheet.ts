import type { Provenance } from '../../report/provenance.ts';
import type { Column } from '../sheet.ts';

/** Of the second sheet: a row a file, or a load without one, then a row for each rate. */
export const sourceColumns: readonly Column[] = [
  { name: 'kind', kind: 'text' },
  { name: 'source', kind: 'text' },
  { name: 'load', kind: 'count' },
  { name: 'imported_at', kind: 'text' },
  { name: 'first_day', kind: 'day' },
  { name: 'last_day', kind: 'day' },
  { name: 'rows', kind: 'count' },
  { name: 'file_sha256', kind: 'text' },
  { name: 'file_name', kind: 'text' },
  { name: 'currency', kind: 'text' },
  { name: 'rate', kind: 'decimal' },
];

/** Lines of JSON, as a sheet takes them. What was left out is named, so that nobody takes the list for whole. */
export function* sourceRows(provenance: Provenance): Generator<Buffer> {
  for (const {
    load,
    source,
    kind,
    imported_at: at,
    first_day: first,
    last_day: last,
    rows,
    files,
  } of provenance.loads)
    for (const { sha256 = null, name = null } of files.length === 0 ? [{}] : files)
      yield lineOf([kind, source, load, at, first, last, rows, sha256, name]);
  if (provenance.loads_left_out > 0)
    yield lineOf(['loads left out', null, null, null, null, null, provenance.loads_left_out]);
  for (const { day, currency, rate } of provenance.rates)
    yield lineOf(['rate', null, null, null, day, day, null, null, null, currency, rate]);
  if (provenance.rates_left_out > 0)
    yield lineOf(['rates left out', null, null, null, null, null, provenance.rates_left_out]);
}

const lineOf = (values: readonly unknown[]): Buffer => Buffer.from(`${JSON.stringify(values)}\n`);
