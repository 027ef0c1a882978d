import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { answered, noReportingAt, type ReportingApi } from './reporting-api.ts';

const optionOf = {
  sources: 'the sources',
  day: '--day',
  domain: '--domain',
  reason: '--note',
  until: '--until',
};

async function ask<Answer>(
  api: ReportingApi,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await api.send(method, path, body === undefined ? {} : { body });
  if (response.status === 404) throw noReportingAt(api.url);
  return (await bodyOf(answered(response), optionOf)) as unknown as Answer;
}

interface NotePlace {
  readonly sources: readonly [string, string];
  readonly day?: string;
  readonly domain?: string;
}
interface Note {
  readonly reason: string;
  readonly written_by: string | null;
  readonly version: number;
}

/** Over the note that is there now: the one before it is printed, so that nobody's words are lost unseen. */
export async function noteReason(
  api: ReportingApi,
  { sources, day, domain }: NotePlace,
  reason: string | null,
): Promise<void> {
  if (day === undefined || domain === undefined)
    throw new CliError('a note belongs to a row: name it with --day and --domain');
  const { data } = await ask<{ data: readonly { readonly note: Note | null }[] }>(
    api,
    'POST',
    '/discrepancies',
    {
      ...{ sources, selectedDate: [day, day], domains: [domain], limit: 1, currency: 'EUR' },
    },
  );
  const before = data[0]?.note ?? null;
  if (reason === null && before === null) return print(`There is nothing noted on ${domain} of ${day}.`);
  const body = { sources, day, domain, reason, version: before?.version ?? 0 };
  await ask(api, 'POST', '/discrepancies/notes', body);
  if (before !== null) printNote(`Before: ${before.reason} (${before.written_by ?? 'a deleted account'})`);
  print(`${reason === null ? 'Removed the note' : 'Noted'} on ${domain} of ${day}.`);
}

export interface SeriesOption {
  readonly domain: string;
  readonly product: string;
  readonly country: string;
}
interface Mute extends SeriesOption {
  readonly until: string;
  readonly reason: string;
  readonly muted_by: string | null;
}

/** @param until null: no longer. */
export async function muteSeries(
  api: ReportingApi,
  series: SeriesOption,
  until: string | null,
  reason?: string,
): Promise<void> {
  const body = { ...series, until, ...(reason === undefined ? {} : { reason }) };
  await ask(api, 'POST', '/anomalies/mutes', body);
  const name = [series.domain, series.product, series.country].join(',');
  print(until === null ? `${name} is not muted any more.` : `${name} is muted until ${until}.`);
}

export async function listMuted(api: ReportingApi, asJson: boolean): Promise<void> {
  const { data } = await ask<{ data: readonly Mute[] }>(api, 'GET', '/anomalies/mutes');
  if (asJson) return printJson(data);
  if (data.length === 0) return print('Nothing is muted.');
  print(
    tableOf(
      ['DOMAIN', 'PRODUCT', 'COUNTRY', 'UNTIL', 'BY', 'REASON'],
      data.map((one) => [one.domain, one.product, one.country, one.until, one.muted_by ?? '–', one.reason]),
    ),
  );
}
