import type { Person } from '../../api/account/support.ts';
import { callAs, deliveryBody } from '../../api/support.ts';
import type { Stand } from './stand.ts';

/** Campaigns of every kind, named by what they demonstrate. */
export const campaignNames = {
  decided: 'Storm: which title',
  waiting: 'Cup final: which title',
  local: 'Breakfast reading',
  recurring: 'Morning briefing',
  feed: 'News on politics',
} as const;
export type CampaignsWorld = Readonly<Record<keyof typeof campaignNames, number>>;

const url = 'https://news.example.com/storm';
const body = 'What to expect, and where ferries stop.';
const titles = [
  'Storm hits the coast',
  'Trains stop at noon: storm warning',
  'Is your street flooded tonight?',
];
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

export async function fillCampaigns(stand: Stand, person: Person, app: string): Promise<CampaignsWorld> {
  const call = callAs(stand.api.app, person);
  const create = async (name: string, plan: object, variants = titles.slice(0, 1)): Promise<number> => {
    const notifications = variants.map((title) => ({ title, body, url }));
    const given = notifications.length === 0 ? { name, plan } : { name, notifications, plan };
    const made = await call('POST', `/apps/${app}/campaigns`, given);
    if (made.statusCode !== 201) throw new Error(`the campaign ${name} was refused: ${made.body}`);
    return made.json().data.id;
  };
  const test = { kind: 'ab_test', test_percent: 30 };
  const decided = await create(campaignNames.decided, { ...test, decide_after_minutes: 30 }, titles);
  const sent = await playTest(stand, person, app, decided);
  await stand.api.database.query(
    `UPDATE campaigns SET status = 'completed', next_step_at = NULL, completed_at = now(), progress = progress || $2 WHERE id = $1`,
    [decided, JSON.stringify({ decision: decisionFor(sent) })],
  );
  const waiting = await create(campaignNames.waiting, { ...test, decide_by: 'hand' }, titles.slice(0, 2));
  await playTest(stand, person, app, waiting, 2);
  await stand.api.database.query(
    `UPDATE campaigns SET status = 'deciding', next_step_at = NULL WHERE id = $1`,
    [waiting],
  );
  const local = await create(campaignNames.local, {
    kind: 'local_time',
    at: `${inDays(1).slice(0, 10)}T08:00`,
  });
  const schedule = { schedule: '30 7 * * 1-5', time_zone: 'Europe/Berlin', until: inDays(30) };
  const recurring = await create(campaignNames.recurring, { kind: 'recurring', ...schedule });
  const feed = await create(campaignNames.feed, feedPlan, []);
  await fillFeed(stand, feed);
  return { decided, waiting, local, recurring, feed };
}

const decisionFor = (counts: readonly object[]): object => ({
  ...{ by: 'clicks', at: new Date().toISOString(), winner: 1, sent: 1, reason: 'decided', counts },
});

const accepted = 11_700;
const clicked = [456, 602, 488];

/** The variants were sent, and readers have clicked. */
async function playTest(stand: Stand, person: Person, app: string, campaign: number, variants = 3) {
  const { database, analytics } = stand.api;
  const counts: { accepted: number; clicked: number }[] = [];
  for (const [index, title] of titles.slice(0, variants).entries()) {
    const made = await callAs(stand.api.app, person)(
      'POST',
      `/apps/${app}/deliveries`,
      deliveryBody({ title }),
    );
    const { id } = made.json().data;
    await database.query(
      `UPDATE deliveries SET campaign_id = $2, campaign_role = $3, status = 'success', started_at = now() - interval '1 hour',
         completed_at = now() - interval '59 minutes', total_subscribers = $4::int + 84, success_count = $4, failed_count = 84
       WHERE id = $1`,
      [id, campaign, `variant-${index + 1}`, accepted],
    );
    analytics.clicks.set(id as never, clicked[index] ?? 0);
    counts.push({ accepted, clicked: clicked[index] ?? 0 });
  }
  await database.query(
    `UPDATE campaigns SET status = 'running', started_at = now() - interval '1 hour', progress = $2 WHERE id = $1`,
    [campaign, JSON.stringify({ testedAt: new Date(Date.now() - 3_600_000).toISOString() })],
  );
  return counts;
}

const feedPlan = {
  kind: 'feed',
  url: 'https://news.example.com/rss.xml',
  mapping: { title: '{category}: {title}' },
  filter: { categories: ['Politics', 'Economy'], without: ['Sponsored'] },
};

/** It has found items, and cannot be read since. */
async function fillFeed({ api: { database } }: Stand, id: number): Promise<void> {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const feed = { url: feedPlan.url, title: 'Example News', etag: null, lastModified: null, lookedAt: at };
  const state = { ...feed, readAt: at, failures: 3, failingSince: at, trouble: 'The feed answered 404.' };
  await database.query(
    `UPDATE campaigns SET status = 'running', started_at = now(), next_step_at = now() + interval '1 hour', error_message = $3,
       progress = $2 WHERE id = $1`,
    [id, JSON.stringify({ feed: state }), state.trouble],
  );
  for (const [items, title] of [
    [1, 'Politics: Parliament votes on the budget'],
    [7, 'Example News: +7'],
  ] as const)
    await database.query(
      `INSERT INTO feed_items (campaign_id, app_id, role, status, items, content)
       SELECT $1, app_id, $2, 'draft', $3, $4 FROM campaigns WHERE id = $1`,
      [id, `item ${title}`, items, JSON.stringify({ title, body, url, imageUrl: null, buttons: [] })],
    );
}
