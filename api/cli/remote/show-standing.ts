import { counted } from '../../../engine/contract/counted.ts';
import { number, percentText, smallShareText } from '../../../engine/kit/command-line/numbers.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer } from '../../http-client/client.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions } from './connection.ts';

const path = '/api/v1/client/apps/{identifier}/standing';
type Standing = Answer<typeof path, 'get'>['data'];
type Readers = Answer<`${typeof path}/readers`, 'get'>['data'];

/** How push services treat an app, and what browsers judge it by. */
export async function showStanding(identifier: string, options: RemoteOptions): Promise<void> {
  const client = connect(options);
  const params = { path: { identifier } };
  const { data: standing } = await bodyOf(client.GET(path, { params }));
  const { data: readers } = await bodyOf(client.GET(`${path}/readers`, { params }));
  if (options.json === true) return printJson({ ...standing, readers });
  print(linesOf(standing, readers));
}

function linesOf(
  standing: Standing,
  { week, revocation, pushes, permissions, site_weeks }: Readers,
): string[] {
  const services = standing.push_services.map(({ push_service, standing: state, limit }) => [
    push_service,
    state,
    limit?.limited_since ?? '',
    limit === null ? '' : number(limit.allowed_per_minute),
    limit?.probable_end_at ?? '',
  ]);
  const browsers = week.map(({ browser, subscribers, per_reader, most }) => [
    ...[browser ?? 'not known', number(subscribers), per_reader, most],
  ]);
  const left = pushes.map(({ id, title, accepted, unsubscribed, percent, percent_low, percent_high }) => [
    ...[id, title, number(accepted), unsubscribed === null ? '' : number(unsubscribed)],
    percent === null
      ? ''
      : `${smallShareText(percent)} (${smallShareText(percent_low ?? 0)} to ${smallShareText(percent_high ?? 0)})`,
  ]);
  const weeks = site_weeks.map(
    ({ since, hours, pushes: sent, prompts, pushes_per_hour, prompts_per_hour }) => [
      ...[since, number(hours), number(sent), number(prompts), pushes_per_hour ?? '', prompts_per_hour ?? ''],
    ],
  );
  const share = permissions.percent === null ? '' : ` (${percentText(permissions.percent)})`;
  return [
    ...tableOf(['PUSH SERVICE', 'STANDING', 'SINCE', 'A MINUTE', 'PROBABLY UNTIL'], services),
    '',
    ...tableOf(['BROWSER', 'SUBSCRIBERS', 'A READER AND WEEK', 'MOST'], browsers),
    '',
    `Chrome could take the permission away: ${counted(revocation.at_limit, 'reader')} at the limit, ${number(revocation.near)} near it.`,
    `Browsers took it away in ${counted(permissions.days, 'day')}: from ${counted(permissions.revoked, 'reader')}, ${number(permissions.won_back)} won back${share}.`,
    `The guard is ${standing.chrome_guard === null ? 'off' : 'on'}.`,
    '',
    ...tableOf(['DELIVERY', 'TITLE', 'ACCEPTED', 'LEFT IN 48 H', 'SHARE (95%)'], left),
    '',
    ...tableOf(
      ['WEEK FROM', 'HOURS ON SITE', 'PUSHES', 'PROMPTS', 'PUSHES AN HOUR', 'PROMPTS AN HOUR'],
      weeks,
    ),
  ];
}
