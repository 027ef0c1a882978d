import { type SaidFigures, sumOf } from './said-figures.ts';

/**
 * What `broadside analytics` says of thirty days, and of now.
 * @param get reads a path below the app's, over the API.
 * @param run runs a command below `analytics`, and gives what it prints.
 */
export async function sayAnalytics(
  { say }: Pick<SaidFigures, 'say'>,
  get: (path: string) => Promise<{ readonly engagement_by_day: readonly { readonly date: string }[] }>,
  run: (...args: readonly string[]) => Promise<string>,
): Promise<void> {
  const overview = await run('overview');
  const now = (name: string): string | undefined =>
    new RegExp(`^${name} +([\\d,]+)`, 'm').exec(overview)?.[1];
  say('active readers', 'command line, overview', now('active subscribers'));
  say('all readers', 'command line, overview', now('total subscribers'));
  say('clicks in 30 days', 'command line, overview', now('total clicks'));

  const days = (await get('/analytics/engagement?days=30')).engagement_by_day.map(({ date }) => date);
  const sums = async (name: string): Promise<(column: string) => number> => {
    const period = ['--from', days[0] ?? '', '--to', days.at(-1) ?? ''];
    const [head = '', ...lines] = (await run(name, ...period, '--csv')).trim().split(/\r?\n/);
    const cells = lines.map((line) => line.split(','));
    return (column) => sumOf(cells.map((line) => line[head.split(',').indexOf(column)]));
  };
  const subscribers = await sums('subscribers');
  say('new in 30 days', 'command line, subscribers', subscribers('new_subscribers'));
  const deliveries = await sums('deliveries');
  say('accepted in 30 days', 'command line, deliveries', deliveries('notifications_sent'));
  say('clicks in 30 days', 'command line, deliveries', deliveries('clicks'));
  const engagement = await sums('engagement');
  say('accepted in 30 days', 'command line, engagement', engagement('total_sent'));
  say('clicks in 30 days', 'command line, engagement', engagement('total_clicks'));
  const funnel = await sums('funnel');
  say('accepted in 30 days', 'command line, funnel', funnel('accepted'));
  say('displayed in 30 days', 'command line, funnel', funnel('displayed'));
  say('clicks in 30 days', 'command line, funnel', funnel('clicked'));
  say('closed in 30 days', 'command line, funnel', funnel('closed'));
}
