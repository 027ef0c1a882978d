// tier: postgres
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestLinks } from '../../../api/shared/test-browsers/link.ts';
import type { AudienceRules } from '../../../engine/contract/audience.ts';
import { type Bitmap, hasBit } from '../../../engine/contract/bitmap.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { createDeliveryProofs } from '../../../engine/notification/delivery-proof.ts';
import { buildDelivery, readDelivery } from '../../support/builders.ts';
import { createFakeSender, createLogStore, startEngineHarness, until } from '../../support/engine-harness.ts';
import { createSite } from '../../support/site.ts';
import { MASTER_KEY, openTestApi } from '../support.ts';

/** Each of these kinds subscribes through the public route: the categories it states, and whether Sport reaches it. */
const kinds = [
  { name: 'never stated categories', categories: undefined, receives: true },
  { name: 'chose Sport', categories: ['Sport'], receives: true },
  { name: 'chose Sport and Politics', categories: ['Sport', 'Politics'], receives: true },
  { name: 'chose Politics', categories: ['Politics'], receives: false },
  { name: 'chose none', categories: [], receives: false },
] as const;
const READERS_OF_A_KIND = 8;

const rules: AudienceRules = {
  match: 'any',
  conditions: [
    { field: 'tag', key: 'plan', operator: 'equals', value: 'gold' },
    { field: 'last_clicked', operator: 'never' },
  ],
};

describe('strangers’ statements', async () => {
  const sender = createFakeSender(() => 'accepted');
  const categories = new Map<string, number>();

  const api = await openTestApi();
  const site = await createSite(api.app, api.database);
  for (const name of ['Sport', 'Politics']) {
    const [row] = await api.database.query<{ id: number }>(
      `INSERT INTO delivery_categories (app_id, name) VALUES ($1, $2) RETURNING id`,
      [site.appId, name],
    );
    categories.set(name, row?.id ?? 0);
  }
  const userIds = new Map<string, boolean>();
  for (const { categories: chosen, receives } of kinds) {
    for (let n = 0; n < READERS_OF_A_KIND; n++) {
      const categoryIds = chosen?.map((name) => categories.get(name));
      const body = site.subscribeBody(categoryIds === undefined ? {} : { categoryIds });
      expect((await site.post('subscribe', body)).json()).toEqual({ success: true });
      userIds.set(body.userId, receives);
    }
  }
  const readers = (await site.rows()).map(({ seq, user_identity: id }) => ({
    seq,
    receives: userIds.get(id ?? '') === true,
  }));
  const engine = await startEngineHarness({ database: api.database, logStore: createLogStore(), sender });
  afterAll(() => engine.close());

  /** Plans and dispatches it. @returns its bitmaps' members among the readers that were there first. */
  const audienceOf = async (given: { category?: string; rules?: AudienceRules }) => {
    const id = await makeDelivery(given);
    await api.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [id],
    );
    await until('the delivery to succeed', async () =>
      ['success', 'partial', 'failed'].includes((await readDelivery(api.database, id)).status),
    );
    const blocks = await api.database.query<{ block: number; audience: Bitmap }>(
      'SELECT block, audience FROM blocks WHERE delivery_id = $1',
      [id],
    );
    return readers
      .map(({ seq }) => seq)
      .filter((seq) => blocks.some((each) => each.block === seq >> 10 && hasBit(each.audience, seq)));
  };

  const makeDelivery = async (given: { category?: string; rules?: AudienceRules }): Promise<DeliveryId> => {
    const id = await buildDelivery(api.database, site.appId);
    await api.database.query(
      `WITH segment AS (
         INSERT INTO segments (app_id, name, rules) SELECT $2, 'Gold', $3 WHERE $3::jsonb IS NOT NULL RETURNING id
       )
       UPDATE deliveries SET delivery_category_id = $4, segment_id = (SELECT id FROM segment) WHERE id = $1`,
      [
        id,
        site.appId,
        given.rules === undefined ? null : JSON.stringify(given.rules),
        given.category === undefined ? null : categories.get(given.category),
      ],
    );
    return id;
  };

  it('a reader who never stated categories receives all, one who did receives those, and an empty list is none', async () => {
    sender.sent.clear();
    await audienceOf({ category: 'Sport' });
    const meant = readers.filter(({ receives }) => receives).map(({ seq }) => seq);
    expect(meant).toHaveLength(3 * READERS_OF_A_KIND);
    expect([...sender.sent.keys()].sort((a, b) => a - b)).toEqual(meant);
    expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
  });

  it('never change the deliveries of others, in any field of any public route', async () => {
    const audiences = async () => [
      await audienceOf({}),
      await audienceOf({ category: 'Sport' }),
      await audienceOf({ category: 'Politics' }),
      await audienceOf({ rules }),
      await audienceOf({ category: 'Sport', rules }),
    ];
    const before = await audiences();
    expect(before.map(({ length }) => length)).toEqual([40, 24, 24, 40, 24]);
    const requests = await strangeRequests();
    await expectEveryField(requests);
    for (const { path, body, withoutOrigin } of requests) {
      const headers = withoutOrigin === true ? { origin: undefined } : {};
      const answer = await site.post(path as 'subscribe', body, headers);
      expect([path, answer.statusCode]).toEqual([
        path,
        withoutOrigin ? 403 : ['beacon', 'prompt-event'].includes(path) ? 204 : 200,
      ]);
    }
    expect((await site.rows()).length).toBeGreaterThan(readers.length);
    expect(await audiences()).toEqual(before);
  });

  interface StrangeRequest {
    readonly path: string;
    readonly body: object;
    readonly withoutOrigin?: boolean;
  }

  /** Of browsers that know no other's identity, endpoint or secret. */
  const strangeRequests = async (): Promise<StrangeRequest[]> => {
    const stranger = site.subscribeBody();
    const { userId } = stranger;
    const [{ identifier: delivery } = { identifier: '' }] = await api.database.query<{ identifier: string }>(
      'SELECT identifier FROM deliveries WHERE app_id = $1 LIMIT 1',
      [site.appId],
    );
    const [app] = await api.database.query<{ key: string }>(
      'SELECT vapid_public_key AS key FROM apps WHERE id = $1',
      [site.appId],
    );
    const sport = categories.get('Sport');
    const subscribe = {
      ...stranger,
      vapidKey: app?.key,
      timeZone: 'Asia/Tokyo',
      language: 'ja',
      promptVariant: '1.a',
      secondsOnSite: 3_600,
      externalIds: { oid_cookie: 'x', acme_id: '1' },
      categoryIds: [sport],
    };
    const event = (type: string) => ({ id: crypto.randomUUID(), type });
    const beacon = {
      appId: site.identifier,
      delivery,
      proof: createDeliveryProofs(MASTER_KEY).prove(site.identifier, delivery),
      userId,
      events: [event('displayed'), event('clicked'), event('closed')],
    };
    const tags = Array.from({ length: 50 }, (_, n) => ({ key: n === 0 ? 'plan' : `k${n}`, value: 'gold' }));
    const { categoryIds: _not, secondsOnSite: _nor, ...update } = subscribe;
    const own = { browserSecret: randomBytes(32).toString('base64url') };
    const secretive = { ...site.subscribeBody({ categoryIds: [] }), ...own };
    const { userId: named } = secretive;
    // Even with a link that somebody of the team let out of their hands.
    const { token } = createTestLinks(MASTER_KEY).issue(site.appId, null, Date.now());
    return [
      { path: 'subscribe', body: subscribe },
      { path: 'subscribe', body: { ...subscribe, categoryIds: [] } },
      { path: 'subscribe', body: { ...site.subscribeBody({ categoryIds: [] }), userId: undefined } },
      { path: 'subscribe', body: site.subscribeBody({ categoryIds: [sport, 2_000_000_000] }) },
      { path: 'subscribe', body: site.subscribeBody({ categoryIds: [] }), withoutOrigin: true },
      { path: 'update_subscription', body: update },
      { path: 'update_subscription', body: { ...site.subscribeBody(), userId } },
      { path: 'subscription-tags', body: { appId: site.identifier, userId, tags } },
      { path: 'prompt-event', body: { appId: site.identifier, promptVariant: '1.a', event: 'granted' } },
      { path: 'beacon', body: beacon },
      { path: 'beacon', body: { ...beacon, userId: 'nobody has this' } },
      { path: 'beacon', body: { ...beacon, userId: undefined } },
      { path: 'subscribe', body: secretive },
      { path: 'update_subscription', body: { ...site.subscribeBody(), ...own, userId: named } },
      { path: 'test-browser', body: { appId: site.identifier, userId: named, ...own, token } },
      {
        path: 'preferences',
        body: {
          ...{ appId: site.identifier, ...own, language: 'ja', pause: true },
          choices: { categoriesOff: [sport], fewer: '1-day', quietHours: { from: '22:00', to: '07:00' } },
        },
      },
      { path: 'preferences', body: { ...own, pause: false, unsubscribe: false } },
      { path: 'subscription-tags', body: { userId: named, ...own, tags: tags.slice(0, 5) } },
      { path: 'beacon', body: { ...beacon, userId: named, ...own } },
      { path: 'update_subscription', body: { ...update, subscription: null } },
      { path: 'update_subscription', body: { ...update, ...own, subscription: null, revoked: true } },
      { path: 'subscribe', body: { ...subscribe, subscription: site.subscribeBody().subscription } },
    ];
  };

  /** A route or a field that comes later is not forgotten here. */
  const expectEveryField = async (requests: readonly StrangeRequest[]): Promise<void> => {
    const { paths, components } = (await api.app.inject('/api/v1/openapi.json')).json();
    const missing = Object.entries<Record<string, OpenApiRoute>>(paths).flatMap(([path, { post }]) => {
      if (!path.startsWith('/api/v1/public/') || post === undefined) return [];
      const schema = post.requestBody.content['application/json'].schema;
      const name = schema.$ref?.split('/').at(-1);
      const { properties = {} } = name === undefined ? schema : components.schemas[name];
      const sent = requests.filter((each) => path.endsWith(`/${each.path}`));
      return Object.keys(properties)
        .filter((field) => !sent.some(({ body }) => (body as Record<string, unknown>)[field] !== undefined))
        .map((field) => `${path} ${field}`);
    });
    expect(missing).toEqual([]);
  };
});

interface OpenApiRoute {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly $ref?: string; readonly properties?: object };
      };
    };
  };
}
