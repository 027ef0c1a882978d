import type { FeedPlan } from '../../../engine/contract/campaign.ts';
import { pause } from '../../../engine/contract/concurrency/clock.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FetchFeed } from '../../../engine/notification/feeds/fetch-feed.ts';
import type { DeliveryRow } from '../../support/memory-stores/tables.ts';
import { settingsOf } from './campaign-settings.ts';
import type { FeedSite } from './feed-sites.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';
import { FAULTS_END_MS } from './times.ts';
import type { World } from './world.ts';

const WEEK_MS = 7 * 86_400_000;
const ARCHIVE = 500;
/** An hour's room in a feed that has little. */
const FEW = 2;

/** A feed that gets articles, breaks, and comes back with its archive. Each poke is a change of the campaign by a person. */
export function startFeed(world: World, appId: AppId, random: Random): void {
  const { publisher, clock, feeds } = world;
  const url = `https://news${feeds.size + 1}.example/feed`;
  const perHour = random.chance(0.3) ? FEW : 1_000;
  const plan: FeedPlan = {
    kind: 'feed',
    publish: 'automatic',
    overflow: 'drop',
    ...{ url, everyMinutes: 1, digest: null, perHour },
    mapping: { title: '{title}', body: '{summary}', image: false },
    filter: { categories: null, words: null, without: null },
    imageBase: 'https://engine.example',
  };
  const campaignId = publisher.createCampaign(appId, settingsOf(plan, 0), clock.now() + random.int(0, 2_000));
  const site: FeedSite = {
    ...{ campaignId, articles: [], version: 0, mood: 'well', perHour },
    ...{ expected: new Set(), unwanted: new Set() },
  };
  feeds.set(url, site);
  for (let count = random.int(0, 3); count > 0; count--) add(world, site, `first-${count}`, clock.now());
  const within = (): number => random.int(1_000, FAULTS_END_MS);
  for (let count = random.int(1, 5); count > 0; count--)
    clock.setTimer(within(), () => add(world, site, `news-${count}`, clock.now()));
  for (let count = random.int(3, 8); count > 0; count--)
    clock.setTimer(within(), () => publisher.changeCampaign(campaignId));
  if (random.chance(0.6)) breakFor(world, site, random);
}

function add(world: World, site: FeedSite, name: string, atMs: number): void {
  const isRead = world.tables.campaigns.get(site.campaignId)?.progress.feed?.readAt != null;
  site.articles.unshift({ name, atMs });
  site.version++;
  if (isRead) site.expected.add(name);
  else if (name.startsWith('first-')) site.unwanted.add(name);
}

function breakFor(world: World, site: FeedSite, random: Random): void {
  const { clock } = world;
  const at = random.int(1_000, FAULTS_END_MS - 5_000);
  clock.setTimer(at, () => {
    site.mood = random.pick(['away', 'web page'] as const);
  });
  const isFlood = site.perHour === FEW && random.chance(0.5);
  clock.setTimer(at + random.int(500, 20_000), () => {
    site.mood = 'well';
    for (let index = 0; index < ARCHIVE; index++) {
      const name = `archive-${index}`;
      const age = isFlood ? index : WEEK_MS;
      site.articles.push({ name, atMs: clock.now() - age });
      if (!isFlood) site.unwanted.add(name);
    }
    site.version++;
  });
}

/** As a process asks for it, over a connection that takes its time. */
export function fetchFeedIn({ feeds }: World, process: Process, random: Random): FetchFeed {
  return async ({ url, etag }) => {
    await process.runs();
    await pause(process.clock, random.int(1, random.chance(0.1) ? 8_000 : 100));
    await process.runs();
    const site = feeds.get(url);
    if (site === undefined || site.mood === 'away') return { kind: 'failed', words: 'answered 503' };
    const tag = `"${site.version}"`;
    if (site.mood === 'well' && etag === tag) return { kind: 'unchanged' };
    const text = site.mood === 'well' ? feedOf(site) : '<html><body>Back soon</body></html>';
    const bytes = Buffer.from(text);
    return { kind: 'read', bytes, contentType: '', etag: tag, lastModified: null, url };
  };
}

/** As long as an address may be: counters alone, which all have to go before the article is known. */
const worstQuery = `?${'utm_x=1&'.repeat(240)}`;

/** A feed has at most 500 items, of which some sites write the worst. */
const feedOf = ({ articles, campaignId }: FeedSite): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'News',
    items: articles.slice(0, ARCHIVE).map(({ name, atMs }) => ({
      id: name,
      url: `https://news.example/${name}${campaignId % 4 === 0 ? worstQuery : ''}`,
      title: name,
      date_published: new Date(atMs).toISOString(),
    })),
  });

const titleOf = ({ plaintext }: DeliveryRow): string =>
  (JSON.parse(Buffer.from(plaintext).toString()) as { readonly notification: { readonly title: string } })
    .notification.title;

const sentOf = ({ tables }: World, { campaignId }: FeedSite): string[] =>
  tables.deliveries.all().flatMap((each) => (each.campaign?.id === campaignId ? [titleOf(each)] : []));

const isRunning = ({ tables }: World, { campaignId }: FeedSite): boolean =>
  tables.campaigns.get(campaignId)?.status !== 'cancelled';

/** Feeds never end: they are at rest once their last version was read. */
export const unreadFeeds = (world: World): string[] =>
  [...world.feeds.values()].flatMap((site) => {
    const feed = world.tables.campaigns.get(site.campaignId)?.progress.feed;
    const isRead = site.mood === 'well' && feed?.etag === `"${site.version}"`;
    return isRead || !isRunning(world, site) ? [] : [`feed ${site.campaignId} has not read its last version`];
  });

export function checkFeeds(world: World): string[] {
  return [...world.feeds.values()].flatMap((site) => {
    const { campaignId: id, perHour, expected, unwanted } = site;
    const sent = sentOf(world, site);
    const names = new Set(sent);
    const forgotten =
      isRunning(world, site) && perHour > FEW ? [...expected].filter((name) => !names.has(name)) : [];
    return [
      ...(names.size === sent.length ? [] : [`feed ${id} sent an item twice: ${sent.join(', ')}`]),
      ...forgotten.map((name) => `feed ${id} forgot ${name}`),
      ...sent
        .filter((name) => unwanted.has(name))
        .map((name) => `feed ${id} sent ${name}, which was not new`),
      ...(sent.length > perHour ? [`feed ${id} sent ${sent.length} in an hour`] : []),
    ];
  });
}
