import { counted } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { amount, number } from '../../../engine/kit/command-line/numbers.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { answered, type ReportingApi } from './reporting-api.ts';

interface Figures {
  readonly rows: number;
  readonly impressions: number;
  readonly earnings: string;
}

interface RestatedDay {
  readonly day: string;
  readonly source: string;
  readonly change: 'replaced' | 'added';
  readonly was_final: boolean;
  readonly restated_at: string;
  readonly restated_by?: string | null;
  readonly currencies: readonly {
    readonly currency: string;
    readonly before: Figures;
    readonly after: Figures;
  }[];
}

const DAYS_SHOWN = 100;
const headings = ['RESTATED AT', 'SOURCE', 'DAY', 'WHAT', 'ROWS', 'IMPRESSIONS', 'EARNINGS', 'BY'];

/** Which days changed after they were reported, the newest first, of the rows that the token sees. */
export async function printRestatements(api: ReportingApi, asJson: boolean): Promise<void> {
  const response = await api.send('GET', `/restatements?limit=${DAYS_SHOWN}`);
  if (response.status === 404)
    throw new CliError(`the reporting API at ${api.url} has no restatements: it is of an earlier version`);
  const body = (await bodyOf(answered(response))) as unknown as { readonly data: readonly RestatedDay[] };
  if (asJson) return printJson(body);
  if (body.data.length === 0) return print('No day was restated.');
  print(tableOf(headings, body.data.flatMap(linesOf)));
  if (body.data.length === DAYS_SHOWN) print(`The newest ${counted(DAYS_SHOWN, 'day')}.`);
}

function linesOf(change: RestatedDay): string[][] {
  const what = `${change.change}${change.was_final ? ' (was final)' : ''}`;
  return change.currencies.map(({ currency, before, after }) => [
    ...[change.restated_at.slice(0, 16).replace('T', ' '), change.source, change.day, what],
    `${number(before.rows)} → ${number(after.rows)}`,
    `${number(before.impressions)} → ${number(after.impressions)}`,
    `${amount(before.earnings)} → ${amount(after.earnings)} ${currency}`,
    change.restated_by ?? '',
  ]);
}
