// tier: postgres
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSite, SITE_ORIGIN, type Site } from '../../../support/site.ts';
import { callAs, createMember, type Member, openTestApi } from '../../support.ts';

const slide = { kind: 'slide-down', categories: true } as const;
const bar = { kind: 'bar', place: 'bottom', question: 'Storm warnings?' } as const;
const all = { shown: 0, accepted: 0, granted: 0, dismissed: 0, subscribed: 0 };

describe('prompts', async () => {
  let site: Site;
  let member: Member;
  let call: ReturnType<typeof callAs>;
  let path: string;
  const api = await openTestApi();
  beforeEach(async () => {
    site = await createSite(api.app, api.database);
    const [owner] = await api.database.query<{ id: number }>(
      'SELECT organization_id AS id FROM apps WHERE id = $1',
      [site.appId],
    );
    member = await createMember(api.database, { organizationId: owner?.id ?? 0 });
    call = callAs(api.app, member);
    path = `/apps/${site.identifier}/prompts`;
  });

  const set = async (body: object) => {
    const answer = await call('PUT', path, body);
    expect(answer.statusCode).toBe(200);
    return answer.json().data;
  };
  const results = async () => (await call('GET', `${path}/results`)).json().data;
  const read = (headers: Record<string, string> = {}) =>
    api.app.inject({
      url: '/api/v1/public/prompts',
      headers: { 'x-app-id': site.identifier, origin: SITE_ORIGIN, ...headers },
    });
  const report = async (promptVariant: string, event: string) =>
    (await site.post('prompt-event', { promptVariant, event })).statusCode;
  const newSecret = (): string => randomBytes(32).toString('base64url');
  const subscribe = async (changes: object) => {
    const body = site.subscribeBody({ browserSecret: newSecret(), ...changes });
    expect((await site.post('subscribe', body)).statusCode).toBe(200);
    return body;
  };

  it('are a bell until something is set, and then what was set, with its defaults', async () => {
    expect((await read()).json()).toEqual({ prompt: null });
    expect((await call('GET', path)).json().data).toMatchObject({
      enabled: false,
      round: 0,
      updated_at: null,
    });
    expect(await set({ enabled: true, variants: [slide] })).toMatchObject({
      ...{ enabled: true, variants: [slide], pages: 1, seconds: 3, scroll_percent: 0 },
      ...{ show_on: [], hide_on: [], ask_again_after_days: null, round: 1 },
    });
    const entries = await api.database.query(
      `SELECT action, detail FROM audit_log WHERE app_id = $1 AND action = 'prompts.updated'`,
      [site.appId],
    );
    expect(entries).toEqual([{ action: 'prompts.updated', detail: { enabled: true, round: 1 } }]);
  });

  it('refuse what no prompt can be', async () => {
    for (const [field, value] of [
      ['variants', []],
      ['variants', [slide, bar, bar]],
      ['variants', [{ kind: 'pop-up' }]],
      ['variants', [{ ...bar, colours: { accent: 'url(https://evil.example)' } }]],
      ['show_on', ['https://other.example/*']],
      ['show_on', Array(21).fill('/')],
      ['ask_again_after_days', 5],
      ['pages', 0],
      ['scroll_percent', 101],
    ] as const) {
      const answer = await call('PUT', path, { enabled: true, variants: [slide], [field]: value });
      expect([field, value, answer.statusCode]).toEqual([field, value, 422]);
    }
  });

  it('reach pages of the app’s own origin, with the categories that a slide-down shows, and an ETag', async () => {
    await call('POST', `/apps/${site.identifier}/delivery-categories`, { name: 'Sport' });
    await set({ enabled: true, variants: [slide, bar], ask_again_after_days: 7 });
    const answer = await read();
    expect(answer.json()).toEqual({
      prompt: {
        ...{
          round: 1,
          pages: 1,
          seconds: 3,
          scrollPercent: 0,
          showOn: [],
          hideOn: [],
          againAfterDays: 7,
          winBack: true,
        },
        variants: [
          { ...slide, colours: {} },
          { ...bar, categories: false, colours: {} },
        ],
        categories: [{ id: expect.any(Number), name: 'Sport' }],
      },
    });
    expect(answer.headers['cache-control']).toBe('private, max-age=60');
    expect((await read({ 'if-none-match': String(answer.headers.etag) })).statusCode).toBe(304);
    expect((await read({ origin: 'https://evil.example' })).statusCode).toBe(403);
  });

  it('count what browsers report of the variants that there are, and start again with other ones', async () => {
    await set({ enabled: true, variants: [slide, bar] });
    const reports = ['1.a', '1.a', '1.b', '2.a', '9.b'].map((variant) => report(variant, 'shown'));
    expect(await Promise.all([...reports, report('1.a', 'dismissed')])).toEqual(Array(6).fill(204));
    expect(await report('1.c', 'shown')).toBe(422);
    expect(await report('1.a', 'paid')).toBe(422);
    expect((await results()).variants).toMatchObject([
      { ...all, variant: 'a', kind: 'slide-down', shown: 2, dismissed: 1, rate: 0 },
      { ...all, variant: 'b', kind: 'bar', shown: 1, rate: 0 },
    ]);
    expect(await set({ enabled: true, variants: [slide, bar], pages: 5 })).toMatchObject({ round: 1 });
    expect(await set({ enabled: true, variants: [slide] })).toMatchObject({ round: 2 });
    expect(await results()).toMatchObject({ round: 2, since: null, variants: [{ ...all, rate: null }] });
    expect(await report('2.b', 'shown')).toBe(204);
    const rows = await api.database.query(
      'SELECT DISTINCT round, variant FROM prompt_counts WHERE app_id = $1 ORDER BY 1, 2',
      [site.appId],
    );
    expect(rows).toEqual([
      { round: 1, variant: 'a' },
      { round: 1, variant: 'b' },
    ]);
  });

  it('are decided by new subscriptions, which name their variant; a known one counts once', async () => {
    await set({ enabled: true, variants: [slide, bar] });
    const first = await subscribe({ promptVariant: '1.a' });
    await site.post('subscribe', { ...first, promptVariant: '1.b' });
    await subscribe({ promptVariant: '1.b' });
    await subscribe({ promptVariant: '7.b' });
    await subscribe({});
    await Promise.all(Array.from({ length: 8 }, () => report('1.a', 'shown')));
    const [a, b] = (await results()).variants;
    // Of so few nobody can say which is better.
    const early = { interval: null, probability_best: null };
    expect(a).toMatchObject({ ...early, shown: 8, subscribed: 1, rate: 12.5 });
    expect(b).toMatchObject({ ...early, shown: 0, subscribed: 1, rate: 100 });
    await api.database.query(`UPDATE prompt_counts SET shown = shown + 150 WHERE app_id = $1`, [site.appId]);
    await api.database.query(`UPDATE prompt_counts SET subscribed = 40 WHERE app_id = $1 AND variant = 'b'`, [
      site.appId,
    ]);
    const [worse, better] = (await results()).variants;
    expect(worse.interval[0]).toBeGreaterThan(0);
    expect(worse.interval[1]).toBeLessThan(10);
    expect(better.probability_best).toBeGreaterThan(worse.probability_best);
    const rows = await api.database.query<{ prompt_variant: string | null }>(
      'SELECT prompt_variant FROM subscriptions WHERE app_id = $1 ORDER BY seq',
      [site.appId],
    );
    expect(rows.map((row) => row.prompt_variant)).toEqual(['1.a', '1.b', '7.b', null]);
  });

  it('count a reader who comes back as the prompt’s that they said yes to', async () => {
    await set({ enabled: true, variants: [slide, bar] });
    const body = await subscribe({ promptVariant: '1.a' });
    const { browserSecret, userId } = body as unknown as Record<string, string>;
    await site.post('update_subscription', { userId, browserSecret, subscription: null });
    await site.post('subscribe', { ...body, promptVariant: '1.b' });
    const [a, b] = (await results()).variants;
    expect([a.subscribed, b.subscribed]).toEqual([1, 1]);
    const [row] = await api.database.query<{ prompt_variant: string | null }>(
      'SELECT prompt_variant FROM subscriptions WHERE app_id = $1',
      [site.appId],
    );
    expect(row?.prompt_variant).toBe('1.b');
  });
});
