// tier: postgres
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { appBody, callAs, createMember, openTestApi } from '../support.ts';

const words = ['--title', 'Good morning', '--body', 'Your day', '--url', 'https://news.example.com/today'];
const test = ['--title', 'Storm', ...words, '--decide', 'hand'];

describe('broadside campaigns', async () => {
  const api = await openTestApi();
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'broadside-campaigns-'));
  const member = await createMember(api.database);
  const token = member.token;
  const call = callAs(api.app, member);
  const app = (await call('POST', '/apps', appBody())).json().data.identifier;
  const appId = await appIdOf(api.database, app);
  await insertSubscriptions(api.database, appId, [{}, {}, {}]);
  await api.database.query(
    `UPDATE subscriptions SET time_zone_id = (SELECT id FROM time_zones WHERE name = 'Europe/Berlin')`,
  );
  afterAll(() => rm(folder, { recursive: true }));

  const run = (name: string, ...args: readonly string[]) =>
    runCliHere(['campaigns', name, '--app', app, ...args], {
      cwd: folder,
      env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: token },
    });
  const campaignOf = async (id: number) => (await call('GET', `/apps/${app}/campaigns/${id}`)).json().data;
  const created = async (...args: string[]): Promise<number> => {
    const { code, out, err } = await run('create', ...args);
    const [, id] =
      /^Campaign (\d+): scheduled, next step (?:.{20}|2035-01-31 08:00 by readers’ clocks)\. broadside campaigns show/.exec(
        out,
      ) ?? [];
    expect([code, err]).toEqual([0, '']);
    return Number(id);
  };

  it('creates a test where there are several titles, each with the texts that are for all', async () => {
    const id = await created(...test, '--test-percent', '30');
    const common = { body: 'Your day', url: 'https://news.example.com/today' };
    expect(await campaignOf(id)).toMatchObject({
      name: 'Storm',
      notifications: [
        { title: 'Storm', ...common },
        { title: 'Good morning', ...common },
      ],
      plan: { kind: 'ab_test', test_percent: 30, decide_by: 'hand' },
    });
  });

  it('creates sends by local time and schedules with every option', async () => {
    const local = await created(...words, '--local-time', '2035-01-31T08:00', '--if-passed', 'skip');
    expect((await campaignOf(local)).plan).toEqual({
      ...{ kind: 'local_time', at: '2035-01-31T08:00', if_passed: 'skip' },
    });
    // Of three readers in Berlin, and not of the first zone on Earth.
    const shown = await run('show', String(local));
    expect(shown.out).toMatch(/next step +2035-01-31 07:00 UTC$/m);
    const recurring = await created(
      ...words,
      ...['--schedule', '30 7 * * 1-5', '--time-zone', 'reader', '--until', '2036-01-31T12:00:00+00:00'],
      ...['--from', '2035-01-31T12:00:00+00:00', '--grace', '20', '--name', 'Briefing', '--ttl', '60'],
      ...['--topic', 'day', '--rate', '6000', '--urgency', 'low', '--require-interaction', '--rehearsal'],
      '--ignore-frequency-cap',
    );
    expect(await campaignOf(recurring)).toMatchObject({
      ...{ name: 'Briefing', ttl_seconds: 60, topic: 'day', rate_per_minute: 6_000, urgency: 'low' },
      ...{ require_interaction: true, rehearsal: true, ignore_frequency_cap: true },
      plan: {
        ...{ kind: 'recurring', schedule: '30 7 * * 1-5', time_zone: 'reader', grace_minutes: 20 },
        ...{ from: '2035-01-31T12:00:00+00:00', until: '2036-01-31T12:00:00+00:00' },
      },
    });
  });

  it('takes a campaign as the API does from a file, creates it once by its key, and changes it', async () => {
    const file = join(folder, 'campaign.json');
    const notification = { title: 'One', body: 'Text', url: 'https://news.example.com/1' };
    const plan = { kind: 'local_time', at: '2035-01-31T08:00' };
    await writeFile(file, JSON.stringify({ name: 'From a file', notifications: [notification], plan }));
    const id = await created('--file', file, '--idempotency-key', 'once');
    expect(await created('--file', file, '--idempotency-key', 'once')).toBe(id);
    const changed = await run('change', String(id), ...words, '--local-time', '2035-02-01T08:00');
    expect(changed.out).toMatch(
      new RegExp(`^Campaign ${id}: scheduled, next step 2035-02-01 08:00 by readers’ clocks\\.`),
    );
    expect(await campaignOf(id)).toMatchObject({ name: 'Good morning', plan: { at: '2035-02-01T08:00' } });
    const both = await run('create', '--file', file, ...words);
    expect([both.code, both.err]).toEqual([1, expect.stringContaining('remove --title, --body, --url')]);
    await writeFile(file, '{');
    expect((await run('create', '--file', file)).err).toMatch(/campaign\.json is not JSON/);
    expect((await run('create', '--file', join(folder, 'none.json'))).err).toMatch(
      /cannot read .*none\.json/,
    );
  });

  it.each([
    ['a test without a second title', [...words, '--test-percent', '20'], /--title .*at least 2 variants/],
    ['texts for fewer variants', [...test, '--title', 'c', '--body', 'x'], /--body is given 2 times for 3/],
    [
      'nothing that makes it a campaign',
      words,
      /give several titles for a test, --local-time, --schedule, or --feed/,
    ],
    [
      'two kinds',
      [...words, '--schedule', '0 7 * * *', '--if-passed', 'send'],
      /--schedule and --if-passed belong to different kinds/,
    ],
    ['no schedule', [...words, '--time-zone', 'reader'], /--schedule is missing, such as/],
    ['no zone', [...words, '--schedule', '0 7 * * *'], /--time-zone is missing/],
    ['no local time', [...words, '--if-passed', 'send'], /--local-time is missing/],
    [
      'a wrong schedule',
      [...words, '--schedule', '61 7 * * *', '--time-zone', 'UTC'],
      /--schedule must have/,
    ],
    ['no text', ['--title', 'a', '--local-time', '2035-01-31T08:00'], /--body is missing/],
  ])('says in the options’ own names what is wrong with %s', async (_what, args, said) => {
    const { code, err } = await run('create', ...args);
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
  });

  it('previews readers and times, by zone', async () => {
    const { out } = await run('preview', '--local-time', '2035-01-31T08:00');
    expect(out).toMatch(/^3 readers now/);
    expect(out).toMatch(/^2035-01-31 07:00 UTC +zones +3 +Europe\/Berlin$/m);
    const runs = await run('preview', '--schedule', '0 7 * * *', '--time-zone', 'UTC', '--json');
    expect(JSON.parse(runs.out).steps).toHaveLength(5);
    expect((await run('preview', '--variants', '3')).out).toMatch(/^once decided|^20\S+ .* winner +/m);
  });

  it('lists them, shows one with its variants, names the winner, and cancels', async () => {
    const id = await created(...test);
    const list = await run('list', '--kind', 'ab_test', '--limit', '1');
    expect(list.out).toMatch(/^ID +NAME +KIND +STATUS +NEXT STEP +DELIVERIES +SENT$/m);
    expect(list.out).toMatch(new RegExp(`^ *${id} +Storm +test +scheduled +20`, 'm'));
    expect(list.err).toBe('1 older one is not shown.\n');
    expect((await run('list', '--status', 'failed')).out).toMatch(/^No such campaign\./);
    expect((await run('show', String(id))).out).toMatch(/^Storm \(campaign \d+\)\n\n +kind +test$/m);
    const early = await run('winner', String(id), '--variant', '2');
    expect(early.code).toBe(1);
    const cancelled = await run('cancel', String(id), '--json');
    expect(JSON.parse(cancelled.out)).toMatchObject({ id, status: 'cancelled' });
    expect((await run('show', '999999')).err).toMatch(/there is no campaign 999999 in the app /);
    expect((await run('cancel', 'x')).code).toBe(2);
  });

  it('creates a feed or a digest of one, lists its drafts, sends one with another title, and drops one', async () => {
    const url = 'https://news.example.com/rss.xml';
    const digest = await created('--feed', url, '--schedule', '0 18 * * *', '--time-zone', 'Europe/Berlin');
    expect((await campaignOf(digest)).plan).toMatchObject({
      ...{ kind: 'feed', url, schedule: '0 18 * * *', time_zone: 'Europe/Berlin' },
    });
    const id = await created(
      ...[
        '--feed',
        url,
        '--every',
        '10',
        '--publish',
        'automatic',
        '--max-per-hour',
        '2',
        '--overflow',
        'drop',
      ],
    );
    expect(await campaignOf(id)).toMatchObject({
      name: url,
      plan: { every_minutes: 10, publish: 'automatic', max_per_hour: 2, overflow: 'drop' },
    });
    expect((await run('items', String(id))).out).toBe('No such item.\n');
    const content = { title: 'Storm', body: 'Text', url, imageUrl: null, imageHash: null, buttons: [] };
    const drafts = await api.database.query<{ id: number }>(
      `INSERT INTO feed_items (campaign_id, app_id, role, status, content)
       SELECT id, app_id, 'item ' || n, 'draft', $2 FROM campaigns, generate_series(1, 2) AS n WHERE id = $1
       RETURNING id`,
      [id, JSON.stringify(content)],
    );
    const [first, second] = drafts.map((draft) => String(draft.id));
    const listed = await run('items', String(id), '--status', 'draft', '--limit', '1');
    expect(listed.out).toMatch(/^ITEM +TITLE +STATUS +CREATED +DELIVERY$/m);
    expect(listed.out).toMatch(new RegExp(`^ *${second} +Storm +draft +20`, 'm'));
    expect(listed.err).toBe('1 older one is not shown.\n');
    const approved = await run('approve', String(id), String(first), '--title', 'Storm tonight');
    const [, delivery] = /^Item \d+: sent as delivery (\d+)\.$/m.exec(approved.out) ?? [];
    const sent = (await call('GET', `/apps/${app}/deliveries/${delivery}`)).json().data;
    expect(sent).toMatchObject({ title: 'Storm tonight', body: 'Text', campaign_id: id });
    expect((await run('dismiss', String(id), String(second))).out).toBe(`Item ${second}: dismissed.\n`);
    const wrong = await run('create', '--feed', url, '--title', 'x');
    expect(wrong.err).toMatch(/remove --title/);
    expect((await run('create', '--every', '5')).err).toMatch(/--title is missing|--feed is missing/);
    expect((await run('preview', '--every', '5')).err).toMatch(/--feed is missing/);
  });
});
