import { counted } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions } from './connection.ts';

export interface UnreachableOptions extends RemoteOptions {
  readonly days?: number;
  readonly prune?: boolean;
  readonly keep?: boolean;
}

/** Counts readers who gave no sign; switches on or off that an app unsubscribes them. */
export async function unreachableReaders(identifier: string, options: UnreachableOptions): Promise<void> {
  if (options.prune === true && options.keep === true)
    throw new CliError('Use either --prune or --keep, not both.');
  if (options.prune === true && options.days === undefined)
    throw new CliError('Name the days, too: --prune --days 270.');
  const client = connect(options);
  const params = { path: { identifier } };
  const query = options.days === undefined ? {} : { days: options.days };
  const { data } = await bodyOf(
    client.GET('/api/v1/client/apps/{identifier}/unreachable', { params: { ...params, query } }),
    { days: '--days' },
  );
  if (options.prune === true || options.keep === true) {
    const { data: app } = await bodyOf(client.GET('/api/v1/client/apps/{identifier}', { params }));
    const { name, site_domain } = app;
    const prune_unreachable_days = options.prune === true ? data.days : null;
    const body = { name, site_domain, prune_unreachable_days };
    await bodyOf(client.PATCH('/api/v1/client/apps/{identifier}', { params, body }));
  }
  if (options.json === true) return printJson(data);
  print(
    data.displays_known
      ? `${data.exact ? '' : 'About '}${counted(data.count, 'reader')} showed no activity in ${counted(data.days, 'day')}.`
      : 'No browser of this site reports what it displays, so unreachable readers are not known.',
  );
  for (const { browser, count } of data.browsers)
    print(`${browser ?? 'not known'}  ${count.toLocaleString('en-US')}`);
  if (options.prune === true) print('They are unsubscribed from now on, once a day.');
  if (options.keep === true) print('Nobody is unsubscribed for that.');
}
