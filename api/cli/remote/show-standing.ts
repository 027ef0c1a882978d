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
    limit === null ? '' : count(limit.allowed_per_minute),
    limit?.probable_end_at ?? '',
  ]);
  const browsers = week.map(({ browser, subscribers, per_reader, most }) => [
    ...[browser ?? 'not known', count(subscribers), per_reader, most],
  ]);
  const left = pushes.map(({ id, title, accepted, unsubscribed, percent, percent_low, percent_high }) => [
    ...[id, title, count(accepted), unsubscribed === null ? '' : count(unsubscribed)],
    percent === null ? '' : `${percent} % (${percent_low} to ${percent_high})`,
  ]);
  const weeks = site_weeks.map(
    ({ since, hours, pushes: sent, prompts, pushes_per_hour, prompts_per_hour }) => [
      ...[since, count(hours), count(sent), count(prompts), pushes_per_hour ?? '', prompts_per_hour ?? ''],
    ],
  );
  const share = permissions.percent === null ? '' : ` (${permissions.percent} %)`;
  return [
    ...tableOf(['PUSH SERVICE', 'STANDING', 'SINCE', 'A MINUTE', 'PROBABLY UNTIL'], services),
    '',
    ...tableOf(['BROWSER', 'SUBSCRIBERS', 'A READER AND WEEK', 'MOST'], browsers),
    '',
    `Chrome could take the permission away: ${count(revocation.at_limit)} readers at the limit, ${count(revocation.near)} near it.`,
    `Browsers took it away in ${permissions.days} days: from ${count(permissions.revoked)} readers, ${count(permissions.won_back)} won back${share}.`,
    `The guard is ${standing.chrome_guard === null ? 'off' : 'on'}.`,
    '',
    ...tableOf(['DELIVERY', 'TITLE', 'ACCEPTED', 'LEFT IN 48 H', 'SHARE (95 %)'], left),
    '',
    ...tableOf(
      ['WEEK FROM', 'HOURS ON SITE', 'PUSHES', 'PROMPTS', 'PUSHES AN HOUR', 'PROMPTS AN HOUR'],
      weeks,
    ),
  ];
}

const count = (value: number): string => value.toLocaleString('en-US');
