import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import { bodyOf, type OptionNames } from '../answer.ts';
import { answered, noReportingAt, type ReportingApi } from '../reporting-api.ts';

/** As the API shows it. */
export interface SavedReport {
  readonly id: number;
  readonly name: string;
  /** Null: its days do not move. */
  readonly period: string | null;
  readonly request: {
    readonly dimensions?: readonly string[];
    readonly metrics: readonly string[];
    readonly selectedDate: readonly [string, string];
    readonly timezone?: string;
    readonly currency: string;
    readonly compare_to?: string;
  };
  readonly made_by: string | null;
  readonly may_change: boolean;
}

export const reportToken = `
The token comes from BROADSIDE_REPORT_TOKEN (the environment or .env); "broadside report-token issue" makes one.`;

const saved = { noun: 'saved report', list: 'broadside saved-reports list' };
const schedules = { noun: 'schedule', list: 'broadside report-schedules list' };

/** @throws CliError with the API's reason; a 404 is a reporting API that is not there, or of an earlier version. */
export async function sendTo<Answer>(
  api: ReportingApi,
  [method, path]: readonly ['GET' | 'POST' | 'PUT' | 'DELETE', string],
  { body, optionOf = {} }: { readonly body?: object; readonly optionOf?: OptionNames } = {},
): Promise<Answer> {
  const response = await api.send(method, path, body === undefined ? {} : { body });
  const answer = await answered(response);
  if (response.status !== 404) return (await bodyOf(Promise.resolve(answer), optionOf)) as unknown as Answer;
  const { message } = (answer.error ?? {}) as { readonly message?: string };
  if (message === undefined) throw noReportingAt(api.url);
  if (message !== 'Not found.') throw new CliError(message);
  const [, collection, id = ''] = path.split('/');
  const { noun, list } = collection === 'schedules' ? schedules : saved;
  throw new CliError(`the organization has no ${noun} ${id}`, { more: [`  ${list}   shows them`] });
}

export const listSaved = async (api: ReportingApi): Promise<readonly SavedReport[]> =>
  (await sendTo<{ readonly data: readonly SavedReport[] }>(api, ['GET', '/saved'])).data;

/** @param named its id, or its name in whatever case. @throws CliError. */
export async function findSaved(api: ReportingApi, named: string): Promise<SavedReport> {
  const all = await listSaved(api);
  const found =
    all.find(({ name }) => name.toLowerCase() === named.toLowerCase()) ??
    all.find(({ id }) => String(id) === named);
  if (found !== undefined) return found;
  throw new CliError(`the organization has no ${saved.noun} "${named}"`, {
    more: [`  ${saved.list}   shows them`],
  });
}
