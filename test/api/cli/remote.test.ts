// tier: postgres
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSubscriptions } from '../../support/builders.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { appBody, callAs, createMember, deliveryBody, openTestApi } from '../support.ts';

describe('the commands that call a running API', async () => {
  const api = await openTestApi();
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'broadside-remote-'));
  const member = await createMember(api.database);
  const token = member.token;
  const call = callAs(api.app, member);
  const app = (await call('POST', '/apps', appBody())).json().data.identifier;
  afterAll(() => rm(folder, { recursive: true }));

  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runCliHere(args, { cwd: folder, env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: token, ...env } });
  const sendArgs = (...args: string[]) => [
    'send',
    ...['--app', app, '--title', 'Breaking', '--body', 'It happened', '--url', 'https://news.example.com/1'],
    ...args,
  ];
  const deliveryOf = async (id: number) => (await call('GET', `/apps/${app}/deliveries/${id}`)).json().data;
  const complete = (id: number, status: string) =>
    api.database.query(
      `UPDATE deliveries SET status = $2, total_subscribers = 3, success_count = 2, failed_count = 1,
         error_message = 'It was like this.' WHERE id = $1`,
      [id, status],
    );

  describe('apps', () => {
    it('lists them as a table, and as JSON', async () => {
      const { code, out } = await run(['apps']);
      expect([code, out.split('\n')[0]]).toEqual([
        0,
        expect.stringMatching(/^APP +NAME +SITE +ACTIVE +SUBSCRIBERS$/),
      ]);
      expect(out).toMatch(new RegExp(`^${app} +Example News +https://news.example.com +0 +0$`, 'm'));
      expect(JSON.parse((await run(['apps', 'list', '--json'])).out)).toMatchObject([{ identifier: app }]);
    });

    it('creates one and shows it', async () => {
      const created = await run([
        'apps',
        'create',
        '--name',
        'Second',
        '--site',
        ' News.Second.Example.com:443/today?a=b ',
      ]);
      const { out } = await run(['apps', 'show', created.out.trim()]);
      expect(out).toMatch(/^site_domain +https:\/\/news\.second\.example\.com$/m);
    });

    it('prints every reason of a refusal', async () => {
      const { code, err } = await run(['apps', 'create', '--name', '', '--site', 'ftp://second.example.com']);
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('--name must not be empty.\n  --site must be'),
      ]);
    });
  });

  describe('send', () => {
    it('creates a delivery and says how to follow it', async () => {
      const { code, out } = await run(sendArgs('--button', 'Live=https://news.example.com/live?a=b'));
      const [, id] = /^Delivery (\d+): pending\. broadside deliveries watch --app \S+ \d+\n$/.exec(out) ?? [];
      expect(code).toBe(0);
      expect(await deliveryOf(Number(id))).toMatchObject({
        name: 'Breaking',
        body: 'It happened',
        action_buttons: [{ title: 'Live', url: 'https://news.example.com/live?a=b' }],
      });
    });

    it('hands every option on', async () => {
      const scheduled = '2035-01-31T12:00:00+00:00';
      const { out } = await run(
        sendArgs(
          ...['--name', 'Label', '--at', scheduled, '--expires', '2035-01-31T13:00:00+00:00', '--ttl', '60'],
          ...['--topic', 'live', '--rate', '6000', '--urgency', 'high', '--lane', 'breaking'],
          ...['--require-interaction', '--ignore-frequency-cap', '--rehearsal', '--json'],
        ),
      );
      expect(JSON.parse(out)).toMatchObject({
        name: 'Label',
        status: 'scheduled',
        scheduled_at: scheduled,
        expires_at: '2035-01-31T13:00:00+00:00',
        ttl_seconds: 60,
        topic: 'live',
        rate_per_minute: 6_000,
        urgency: 'high',
        lane: 'breaking',
        rehearsal: true,
        require_interaction: true,
        ignore_frequency_cap: true,
      });
    });

    it.each([
      ['--at', ['--at', 'tomorrow'], /^broadside: --at must be/],
      ['--expires', ['--expires', '2020-01-31T12:00:00+00:00'], /^broadside: --expires must be/],
      ['--button', ['--button', 'Live=nowhere'], /^broadside: --button must be/],
    ])('names %s as it was typed where the API refuses it', async (_option, args, line) => {
      const { code, err } = await run(sendArgs(...args));
      expect([code, err]).toEqual([1, expect.stringMatching(line)]);
    });

    it('sends once where the same key is given twice', async () => {
      const args = sendArgs('--idempotency-key', 'edition-1', '--json');
      const [first, second] = [JSON.parse((await run(args)).out), JSON.parse((await run(args)).out)];
      expect(second.id).toBe(first.id);
    });

    it('uploads an image from a file', async () => {
      const png =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
      await writeFile(join(folder, 'cover.png'), Buffer.from(png, 'base64'));
      const { code, out, err } = await run(sendArgs('--image', 'cover.png', '--ttl', '5', '--json'));
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({
        image_url: expect.stringMatching(/\/images\/[0-9a-f]{64}\.png$/),
        ttl_seconds: 5,
      });
    });

    it.each([
      ['a button without a URL', ['--button', 'Live'], 2, /must be title=url/],
      ['a segment that is not an id', ['--segment', 'all'], 2, /must be an id/],
      ['an image that is not there', ['--image', 'nowhere.png'], 1, /cannot read the image nowhere\.png/],
    ])('refuses %s', async (_what, args, exit, words) => {
      const { code, err } = await run(sendArgs(...args));
      expect([code, err]).toEqual([exit, expect.stringMatching(words)]);
    });
  });

  describe('deliveries show', () => {
    it('shows how many readers saw, clicked and closed it, or that this is unknown now', async () => {
      const made = await call('POST', `/apps/${app}/deliveries`, deliveryBody({ name: 'Shown' }));
      const { id } = made.json().data;
      const show = (...more: string[]) => run(['deliveries', 'show', '--app', app, String(id), ...more]);
      expect((await show()).out).toBe(
        `Delivery ${id} (Shown): pending. 0 accepted, 0 failed, 0 held back by the frequency cap.\n`,
      );
      await api.database.query(
        `UPDATE deliveries SET status = 'partial', started_at = now(), completed_at = now(),
           total_subscribers = 2000, success_count = 2000 WHERE id = $1`,
        [id],
      );
      const unproven = { displayed: 0, clicked: 12, closed: 0 };
      api.analytics.reactions.set(id, { displayed: 1_600, clicked: 80, closed: 400, unproven });
      expect((await show()).out.split('\n').slice(1, 7)).toEqual([
        'READERS    COUNT  SHARE                              UNPROVEN',
        '─────────  ─────  ─────────────────────────────────  ────────',
        'accepted   2,000',
        'displayed  1,600  80% of accepted                    0',
        'clicked       80  4% of accepted, 5% of displayed    12',
        'closed       400  20% of accepted, 25% of displayed  0',
      ]);
      expect(JSON.parse((await show('--json')).out).engagement).toMatchObject({ clicked: 80, unproven });
      api.analytics.away = true;
      const away = await show();
      api.analytics.away = false;
      expect([away.code, away.out]).toEqual([
        0,
        expect.stringContaining('Reactions cannot be counted right now'),
      ]);
    });
  });

  describe('one subscription', () => {
    let mine: number[];
    let traced: string;
    beforeAll(async () => {
      traced = (await call('POST', '/apps', appBody({ name: 'Traced' }))).json().data.identifier;
      const given = [
        { user_identity: 'ada', external_ids: { crm: 'crm-1815' }, last_seen_at: '2026-01-30T12:00:00Z' },
        { user_identity: 'ada', device_type: 'mobile', last_seen_at: '2026-01-31T12:00:00Z' },
        { user_identity: 'Ada Lovelace', external_ids: { crm: 'crm-1815' } },
      ] as const;
      const appId = await appIdOf(api.database, traced);
      mine = (await insertSubscriptions(api.database, appId, given)).map(({ id }) => id);
    });
    const show = (...args: string[]) => run(['subscriptions', 'show', '--app', traced, ...args]);

    it('is shown by its id, with the others of the same person', async () => {
      const { code, out } = await show(String(mine[0]));
      expect([code, out]).toEqual([0, expect.stringMatching(/^user_identity +ada$/m)]);
      expect(out).toMatch(/^country +–$/m);
      const [, others = ''] = out.split('The same person’s others:\n');
      expect(others).toMatch(
        new RegExp(`^${mine[1]} +subscribed +mobile +– +2026-01-31T12:00:00\\+00:00$`, 'm'),
      );
      expect(others).toMatch(new RegExp(`^${mine[2]} +subscribed`, 'm'));
    });

    it('is shown by its whole user identity: of several the one seen last', async () => {
      const shown = JSON.parse((await show('--user', 'ada', '--json')).out);
      expect(shown).toMatchObject({ id: mine[1], user_identity: 'ada', same_person: [{ id: mine[0] }] });
      const { code, err } = await show('--user', 'ad');
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('no subscription with the user identity "ad"'),
      ]);
    });

    it.each([
      ['neither', [], 1, /by its id, or by --user/],
      ['both', ['4711', '--user', 'ada'], 1, /by its id, or by --user/],
      ['an id that is none', ['ada'], 2, /must be a subscription’s id/],
      ['an id of nobody', ['999999'], 1, /there is no subscription 999999 in the app /],
    ])('is not shown by %s', async (_what, args, exit, words) => {
      const { code, err } = await show(...args);
      expect([code, err]).toEqual([exit, expect.stringMatching(words)]);
    });

    it('is traced in a delivery, with the reason', async () => {
      const { id } = (await call('POST', `/apps/${traced}/deliveries`, deliveryBody())).json().data;
      const trace = (...args: string[]) => run(['deliveries', 'trace', '--app', traced, ...args]);
      const { code, out } = await trace(String(id), String(mine[0]));
      const { data } = (
        await call('GET', `/apps/${traced}/deliveries/${id}/subscriptions/${mine[0]}`)
      ).json();
      const [first, reason] = out.split('\n');
      expect([code, first, reason]).toEqual([
        0,
        `Delivery ${id}, subscription ${mine[0]}: not started.`,
        data.reason,
      ]);
      expect(out).toMatch(new RegExp(`^${mine[2]} +not started$`, 'm'));
      expect(JSON.parse((await trace(String(id), String(mine[0]), '--json')).out)).toEqual(data);
      const nobody = await trace(String(id), '999999');
      expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('no subscription 999999')]);
      expect((await trace(String(id))).code).toBe(2);
    });
  });

  describe('deliveries', () => {
    let id: number;
    beforeAll(async () => {
      id = (await call('POST', `/apps/${app}/deliveries`, deliveryBody({ name: 'Watched' }))).json().data.id;
    });

    it('follows one until it ends, and reports the result by its exit code', async () => {
      const watching = run(['deliveries', 'watch', '--app', app, String(id)]);
      await complete(id, 'partial');
      const { code, out } = await watching;
      expect([code, out]).toEqual([
        3,
        `Delivery ${id} (Watched): partial. 2 accepted, 1 failed, 0 held back by the frequency cap.\nIt was like this.\n`,
      ]);
      await complete(id, 'success');
      const lines = await run(['deliveries', 'watch', '--app', app, String(id), '--json']);
      expect([lines.code, JSON.parse(lines.out)]).toMatchObject([0, { id, status: 'success' }]);
    });

    it('lists and filters', async () => {
      const { out } = await run(['deliveries', 'list', '--app', app, '--status', 'success']);
      expect(out).toMatch(new RegExp(`^ *${id} +Watched +success +3 +3 +\\S+$`, 'm'));
      expect(out.trim().split('\n')).toHaveLength(3);
    });

    it('cancels, and refuses to cancel what has ended', async () => {
      const other = (await call('POST', `/apps/${app}/deliveries`, deliveryBody())).json().data.id;
      const { code, out } = await run(['deliveries', 'cancel', '--app', app, String(other)]);
      expect([code, out]).toEqual([0, expect.stringContaining('cancelled.')]);
      const again = await run(['deliveries', 'cancel', '--app', app, String(other)]);
      expect([again.code, again.err]).toEqual([1, expect.stringMatching(/^broadside: .+\n$/)]);
    });
  });

  describe('subscriptions export', () => {
    beforeAll(async () => {
      const appId = await appIdOf(api.database, app);
      await buildSubscriptions(api.database, appId, 250);
      await api.database.query(
        `UPDATE subscriptions SET tags = '{"topic":"a,b"}', user_identity = '=1+1' WHERE seq = 7`,
      );
    });

    it('writes every subscription once, as JSON lines', async () => {
      const { code, err } = await run(['subscriptions', 'export', '--app', app, '--out', 'all.ndjson']);
      const lines = (await readFile(join(folder, 'all.ndjson'), 'utf8')).trim().split('\n');
      expect([code, err]).toEqual([0, `250 subscriptions of ${app} written.\n`]);
      expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(250);
    });

    it('writes CSV that spreadsheets take for text', async () => {
      const { out } = await run(['subscriptions', 'export', '--app', app, '--format', 'csv']);
      const lines = out.trim().split('\n');
      expect([lines.length, lines[0]]).toEqual([251, expect.stringMatching(/^id,user_identity,status,/)]);
      const row = lines.find((line) => line.includes('1+1'));
      expect(row).toContain(",'=1+1,subscribed,");
      expect(row).toContain('"{""topic"":""a,b""}"');
    });
  });

  it.each([
    ['no token', ['apps'], { BROADSIDE_TOKEN: '' }, /^broadside: BROADSIDE_TOKEN is not set/],
    [
      'a wrong token',
      ['apps'],
      { BROADSIDE_TOKEN: `1|${'a'.repeat(43)}` },
      /^broadside: the token is not valid/,
    ],
    [
      'an API that is not there',
      ['apps', '--api', 'http://127.0.0.1:65531'],
      {},
      /^broadside: the API does not answer \(.*ECONNREFUSED/,
    ],
    [
      'an app that is not there',
      ['deliveries', 'list', '--app', 'none'],
      {},
      /^broadside: there is no app none for this token: "broadside apps list"/,
    ],
  ])('says in one line that there is %s', async (_what, args, env, line) => {
    const { code, out, err } = await run(args, env);
    expect([code, out, err.trim().split('\n')]).toEqual([1, '', [expect.stringMatching(line)]]);
  });

  it('prints the OpenAPI text without anything running', async () => {
    const { code, out } = await run(['openapi'], { BROADSIDE_URL: '', BROADSIDE_TOKEN: '' });
    expect([code, JSON.parse(out).openapi]).toEqual([0, '3.1.0']);
  });
});
