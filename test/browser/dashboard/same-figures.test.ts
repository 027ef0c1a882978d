// tier: system
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../../../api/dashboard/web/texts/en.ts';
import type { Person } from '../../api/account/support.ts';
import { callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { sayAnalytics } from './command-line-analytics.ts';
import {
  createSaidFigures,
  funnelOf,
  largeFigures,
  rateOf,
  rowsOf,
  type SaidFigures,
  sumOf,
} from './said-figures.ts';
import { arriveAt, openAs, openStand, type Stand, scrollThrough, type Tab } from './stand.ts';
import { type AudienceWorld, fillAudience } from './world-audience.ts';
import { type CampaignsWorld, campaignNames, fillCampaigns } from './world-campaigns.ts';

const titleOf = 'Storm over the north';

describeBrowser('chromium', 'a figure that stands in several places', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let person: Person;
  let world: AudienceWorld;
  let campaigns: CampaignsWorld;
  let folder: string;
  let said: SaidFigures;

  beforeAll(async () => {
    stand = await openStand(executable);
    ({ tab, person } = await openAs(stand, { role: 'super-admin' }));
    world = await fillAudience(stand, person);
    campaigns = await fillCampaigns(stand, person, world.app);
    const { database, analytics } = stand.api;
    await database.query(
      `UPDATE deliveries SET failed_count = 2, capped_subscribers = 1, total_subscribers = success_count + 3
       WHERE campaign_id IS NULL AND success_count > 0`,
    );
    for (const [id, clicked] of analytics.clicks) {
      const unproven = { displayed: 0, clicked: 0, closed: 0 };
      analytics.reactions.set(id, { displayed: clicked * 2 + 3, clicked, closed: 2, unproven });
    }
    folder = await mkdtemp(join(tmpdir(), 'broadside-figures-'));
    said = createSaidFigures();
    await askApi(said);
    await askCommandLine(said);
    await lookAtPages(said);
  });
  afterAll(async () => {
    await stand.close();
    await rm(folder, { recursive: true, force: true });
  });

  const get = async (path: string) => {
    const answer = await callAs(stand.api.app, person)('GET', `/apps/${world.app}${path}`);
    expect([path, answer.statusCode]).toEqual([path, 200]);
    return answer.json();
  };
  const run = async (...args: string[]): Promise<string> => {
    const env = { BROADSIDE_URL: stand.url, BROADSIDE_TOKEN: person.token };
    const { code, out, err } = await runCliHere(args, { cwd: folder, env });
    expect([args.join(' '), code, err]).toEqual([args.join(' '), 0, '']);
    return out;
  };

  async function askApi({ say }: SaidFigures): Promise<void> {
    const { data: listed } = await get('/deliveries?per_page=100&status=success');
    expect(listed.length).toBeGreaterThan(10);
    const decided = (await get(`/campaigns/${campaigns.decided}`)).data.variants.map(
      ({ delivery_id: id }: { delivery_id: number }) => id,
    );
    for (const each of listed) {
      sayDelivery({ say }, 'API, list', each);
      const { data } = await get(`/deliveries/${each.id}`);
      sayDelivery({ say }, 'API, delivery', data);
      say(`${each.id} accepted`, 'API, engagement', data.engagement.accepted);
      say(`${each.id} clicks`, 'API, engagement', data.engagement.clicked);
      // Of a campaign's deliveries, its page shows who displayed them, and nothing shows who closed them.
      if (each.id <= world.delivery) say(`${each.id} closed`, 'API, engagement', data.engagement.closed);
      if (each.id <= world.delivery || decided.includes(each.id))
        say(`${each.id} displayed`, 'API, engagement', data.engagement.displayed);
    }
    for (const id of [campaigns.decided, campaigns.waiting]) {
      for (const variant of (await get(`/campaigns/${id}`)).data.variants) {
        say(`${variant.delivery_id} accepted`, 'API, campaign', variant.accepted);
        say(`${variant.delivery_id} clicks`, 'API, campaign', variant.clicked);
      }
    }
    await askAnalytics({ say });
    const { data: segments } = await get('/segments');
    for (const { name, rules } of segments) {
      const path = `/apps/${world.app}/segments/preview`;
      const { data } = (await callAs(stand.api.app, person)('POST', path, { rules })).json();
      say(`segment ${name}`, 'API, preview', data.count);
    }
  }

  function sayDelivery({ say }: Pick<SaidFigures, 'say'>, place: string, each: Record<string, number>): void {
    const { id, click_count: clicks = 0, success_count: accepted = 0 } = each;
    say(`${id} readers`, place, each.total_subscribers);
    say(`${id} accepted`, place, accepted);
    say(`${id} failed`, place, each.failed_count);
    say(`${id} clicks`, place, clicks);
    say(`${id} click rate`, place, rateOf(clicks, accepted));
  }

  async function askAnalytics({ say }: Pick<SaidFigures, 'say'>): Promise<void> {
    const app = (await get('')).data;
    const overview = await get('/analytics/overview');
    const [growth, engagement, funnel, daily] = await Promise.all(
      ['subscribers', 'engagement', 'funnel', 'deliveries'].map((each) => get(`/analytics/${each}?days=30`)),
    );
    const sum = (rows: readonly Record<string, number>[], key: string): number =>
      rows.reduce((all, row) => all + (row[key] ?? 0), 0);
    say('active readers', 'API, app', app.active_subscriber_count);
    say('active readers', 'API, overview', overview.active_subscribers);
    say('active readers', 'API, subscribers', growth.active_vs_inactive.subscribed);
    say('active readers', 'API, list', (await get('/subscriptions?status=subscribed')).meta.total);
    say('active readers', 'API, devices', sum([overview.subscribers_by_device].map(totalled), 'total'));
    say('all readers', 'API, app', app.subscriber_count);
    say('all readers', 'API, overview', overview.total_subscribers);
    say('all readers', 'API, list', (await get('/subscriptions')).meta.total);
    say('new in 30 days', 'API, subscribers', sum(growth.growth, 'new_subscribers'));
    say(
      'new in 7 days',
      'API, subscribers',
      sum((await get('/analytics/subscribers?days=7')).growth, 'new_subscribers'),
    );
    say('accepted in 30 days', 'API, engagement', sum(engagement.engagement_by_day, 'total_sent'));
    say('accepted in 30 days', 'API, funnel', funnel.totals.accepted);
    say('accepted in 30 days', 'API, deliveries', sum(daily.daily_stats, 'notifications_sent'));
    say('clicks in 30 days', 'API, engagement', sum(engagement.engagement_by_day, 'total_clicks'));
    say('clicks in 30 days', 'API, funnel', funnel.totals.clicked);
    say('clicks in 30 days', 'API, deliveries', sum(daily.daily_stats, 'clicks'));
    say('clicks in 30 days', 'API, overview', overview.total_clicks);
    say('click rate in 30 days', 'API, funnel', rateOf(funnel.totals.clicked, funnel.totals.accepted));
    say('displayed in 30 days', 'API, funnel', funnel.totals.displayed);
    say('closed in 30 days', 'API, funnel', funnel.totals.closed);
    for (const each of engagement.top_performing_deliveries) {
      say(`${each.id} accepted`, 'API, best', each.success_count);
      say(`${each.id} clicks`, 'API, best', each.click_count);
    }
  }

  const totalled = (counts: Record<string, number>) => ({
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
  });

  async function askCommandLine({ say }: SaidFigures): Promise<void> {
    const [, , ...apps] = (await run('apps')).trim().split('\n');
    const [active, all] = (apps.find((line) => line.startsWith(world.app)) ?? '').split(/\s{2,}/).slice(-2);
    say('active readers', 'command line, apps', active);
    say('all readers', 'command line, apps', all);
    const [, , ...listed] = (
      await run('deliveries', 'list', '--app', world.app, '--status', 'success')
    ).split('\n');
    for (const line of listed.filter((each) => each !== '')) {
      const [id = '', , , , audience] = line.trim().split(/\s{2,}/);
      say(`${id.replaceAll(',', '')} readers`, 'command line, list', audience);
      if (Number(id) > world.delivery) continue;
      const shown = await run('deliveries', 'show', '--app', world.app, id);
      say(`${id} accepted`, 'command line, summary', /([\d,]+) accepted/.exec(shown)?.[1]);
      say(`${id} failed`, 'command line, summary', /([\d,]+) failed/.exec(shown)?.[1]);
      for (const [word, figure] of [
        ['accepted', 'accepted'],
        ['displayed', 'displayed'],
        ['clicked', 'clicks'],
        ['closed', 'closed'],
      ])
        say(
          `${id} ${figure}`,
          'command line, funnel',
          new RegExp(`^${word} +([\\d,]+)`, 'm').exec(shown)?.[1],
        );
      say(
        `${id} click rate`,
        'command line, funnel',
        /^clicked +[\d,]+ +(\S+) of accepted/m.exec(shown)?.[1],
      );
    }
    await sayAnalytics({ say }, get, (...args) => run('analytics', ...args, '--app', world.app));
    const { data } = await get(`/campaigns/${campaigns.decided}`);
    const shown = await run('campaigns', 'show', '--app', world.app, String(campaigns.decided));
    for (const { number, delivery_id: id } of data.variants) {
      const cells = new RegExp(`^ *${number} {2,}.*$`, 'm').exec(shown)?.[0].trim().split(/ {2,}/) ?? [];
      say(`${id} accepted`, 'command line, campaign', cells[2]);
      say(`${id} clicks`, 'command line, campaign', cells[3]);
      say(`${id} click rate`, 'command line, campaign', cells[4]);
    }
  }

  const go = async (path: string, heading: string): Promise<void> => {
    await tab.goTo(`/apps/${world.app}${path === '' ? '' : `/${path}`}`);
    await arriveAt(tab, heading);
    await scrollThrough(tab.page);
    await arriveAt(tab, heading);
  };
  /** Of a delivery's row; that of a test leads to its campaign, and adds its variants up. */
  const idIn = (link: string): string => /\/deliveries\/(\d+)$/.exec(link)?.[1] ?? 'none';
  const unfold = (): Promise<unknown> =>
    tab.page.evaluate(
      `document.querySelectorAll('table button[aria-expanded=false]').forEach((each) => each.click())`,
    );

  async function lookAtPages(figures: SaidFigures): Promise<void> {
    const { say } = figures;
    await go('', 'Example Weekly');
    await tab.page.waitForFunction(
      `[...document.querySelectorAll('dd')].every((each) => each.textContent !== '…')`,
    );
    const overview = await largeFigures(tab);
    say('active readers', 'page, overview', overview[en.overview.active]);
    say('new in 7 days', 'page, overview', overview[en.overview.joined]);
    await unfold();
    for (const { cells, link } of await rowsOf(tab, en.overview.last)) {
      if (!(Number(idIn(link)) <= world.delivery)) continue;
      say(`${idIn(link)} accepted`, 'page, overview', cells[en.deliveries.accepted]);
      say(`${idIn(link)} clicks`, 'page, overview', cells[en.deliveries.clicks]);
      say(`${idIn(link)} click rate`, 'page, overview', cells[en.deliveries.clickRate]);
    }
    await go('deliveries', en.nav.deliveries);
    await unfold();
    for (const { cells, link } of await rowsOf(tab, en.deliveries.list)) {
      if (!(Number(idIn(link)) <= world.delivery)) continue;
      say(`${idIn(link)} readers`, 'page, deliveries', cells[en.deliveries.audience]);
      say(`${idIn(link)} accepted`, 'page, deliveries', cells[en.deliveries.accepted]);
      say(`${idIn(link)} clicks`, 'page, deliveries', cells[en.deliveries.clicks]);
      say(`${idIn(link)} click rate`, 'page, deliveries', cells[en.deliveries.clickRate]);
    }
    await lookAtDelivery(figures);
    await lookAtAnalytics(figures);
    await lookAtCampaign(figures);
    await go('subscribers?status=%22subscribed%22', en.nav.subscribers);
    const total = await tab.page.evaluate(`document.body.innerText.match(/of ([\\d,]+)/)?.[1]`);
    say('active readers', 'page, subscribers', String(total));
    await go('segments', en.nav.segments);
    await tab.page.waitForFunction(
      `[...document.querySelectorAll('td')].every((each) => each.textContent !== '…')`,
    );
    for (const { cells } of await rowsOf(tab, en.segments.list))
      say(`segment ${cells[en.segments.name]}`, 'page, segments', cells[en.segments.size]);
  }

  async function lookAtDelivery({ say }: SaidFigures): Promise<void> {
    const id = world.delivery;
    await go(`deliveries/${id}`, titleOf);
    const funnel = await funnelOf(tab);
    say(`${id} accepted`, 'page, delivery, funnel', funnel[en.funnel.accepted]);
    say(`${id} displayed`, 'page, delivery, funnel', funnel[en.funnel.displayed]);
    say(`${id} clicks`, 'page, delivery, funnel', funnel[en.funnel.clicked]);
    say(`${id} closed`, 'page, delivery, funnel', funnel[en.funnel.closed]);
    const text = String(await tab.page.evaluate('document.body.innerText'));
    say(`${id} click rate`, 'page, delivery', /Click rate: (\S+) of accepted/.exec(text)?.[1]);
    const counts = (await tab.page.evaluate(`Object.fromEntries([...document.querySelectorAll('table')]
      .find((table) => table.caption?.textContent === ${JSON.stringify(en.delivery.counts)})
      ?.tBodies[0] ? [...[...document.querySelectorAll('table')]
      .find((table) => table.caption?.textContent === ${JSON.stringify(en.delivery.counts)}).tBodies[0].rows]
      .map((row) => [row.cells[0].innerText.trim().split('\\n')[0], row.cells[1].innerText]) : [])`)) as Record<
      string,
      string
    >;
    say(`${id} accepted`, 'page, delivery, counts', counts[en.delivery.accepted]);
    say(`${id} failed`, 'page, delivery, counts', counts[en.delivery.failed]);
    say(`${id} readers`, 'page, delivery, counts', counts[en.delivery.total]);
  }

  async function lookAtAnalytics({ say }: SaidFigures): Promise<void> {
    await go('analytics', en.nav.analytics);
    const large = await largeFigures(tab);
    say('active readers', 'page, analytics', large[en.analytics.totalSubscribers]);
    say('new in 30 days', 'page, analytics', large[en.analytics.growth]);
    say('accepted in 30 days', 'page, analytics', large[en.analytics.sent]);
    say('click rate in 30 days', 'page, analytics', large[en.analytics.clickRate]);
    const column = async (title: string, header: string): Promise<number> =>
      sumOf((await rowsOf(tab, title)).map(({ cells }) => cells[header]));
    for (const title of [en.analytics.devices, en.analytics.browsers, en.analytics.countries])
      say('active readers', `page, ${title}`, await column(title, en.analytics.subscribers));
    say('new in 30 days', 'page, growth', await column(en.analytics.growth, en.analytics.growth));
    say('accepted in 30 days', 'page, engagement', await column(en.analytics.engagement, en.analytics.sent));
    say('clicks in 30 days', 'page, engagement', await column(en.analytics.engagement, en.analytics.clicks));
    const funnel = await funnelOf(tab);
    say('accepted in 30 days', 'page, funnel', funnel[en.funnel.accepted]);
    say('clicks in 30 days', 'page, funnel', funnel[en.funnel.clicked]);
    say('displayed in 30 days', 'page, funnel', funnel[en.funnel.displayed]);
    say('closed in 30 days', 'page, funnel', funnel[en.funnel.closed]);
    // The table is only read out here, and links to nothing: its rows are in the order of the API.
    const { top_performing_deliveries: top } = await get('/analytics/engagement?days=30');
    const best = await rowsOf(tab, en.analytics.best);
    expect(best).toHaveLength(10);
    for (const [at, { cells }] of best.entries()) {
      say(`${top[at]?.id} accepted`, 'page, best', cells[en.analytics.sent]);
      say(`${top[at]?.id} clicks`, 'page, best', cells[en.analytics.clicks]);
      say(`${top[at]?.id} click rate`, 'page, best', cells[en.subscribers.clickRate]);
    }
  }

  async function lookAtCampaign({ say }: SaidFigures): Promise<void> {
    await go(`campaigns/${campaigns.decided}`, campaignNames.decided);
    const { data } = await get(`/campaigns/${campaigns.decided}`);
    const cards = (await tab.page.evaluate(`[...document.querySelectorAll('li:has(> dl)')].map((card) => ({
      ...Object.fromEntries([...card.querySelectorAll('dl > div')]
        .map((each) => [each.querySelector('dt').textContent, each.querySelector('dd').textContent])),
      rate: card.innerText.match(/[\\d.]+%/)?.[0] }))`)) as Record<string, string>[];
    expect(cards).toHaveLength(data.variants.length);
    for (const [index, { delivery_id: id }] of data.variants.entries()) {
      say(`${id} accepted`, 'page, campaign', cards[index]?.[en.funnel.accepted]);
      say(`${id} displayed`, 'page, campaign', cards[index]?.[en.funnel.displayed]);
      say(`${id} clicks`, 'page, campaign', cards[index]?.[en.funnel.clicked]);
      say(`${id} click rate`, 'page, campaign', cards[index]?.rate);
    }
  }

  it('is the same on every page, in every answer of the API, and on the command line', () => {
    expect(said.disagreements()).toEqual([]);
    const { figures, sayings } = said.count();
    expect(figures).toBeGreaterThan(70);
    expect(sayings).toBeGreaterThan(300);
    expect(tab.faults).toEqual([]);
  });

  it('is missed at no place: another value there is a disagreement', () => {
    const { sayings } = said.count();
    for (let at = 0; at < sayings; at++) expect(said.changed(at).disagreements()).toHaveLength(1);
  });

  it('is found where two sources of it differ', async () => {
    const { clicks } = stand.api.analytics;
    const before = clicks.get(world.delivery as never) ?? 0;
    clicks.set(world.delivery as never, before + 1);
    const other = createSaidFigures();
    await askApi(other);
    clicks.set(world.delivery as never, before);
    expect(other.disagreements()).toContainEqual(
      expect.stringMatching(`^${world.delivery} clicks: .*${before}`),
    );
  });
});
