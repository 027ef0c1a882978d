// tier: postgres
import { hash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReportedEvent } from '../../../engine/contract/topics.ts';
import { createDeliveryProofs } from '../../../engine/notification/delivery-proof.ts';
import { buildAccepted } from '../../support/builders.ts';
import { type Answer, createSite, type Site, type SubscribeBody } from '../../support/site.ts';
import { MASTER_KEY, newEndpoint, newKeys, openTestApi } from '../support.ts';

let site: Site;
const api = await openTestApi();
beforeEach(async () => {
  site = await createSite(api.app, api.database);
});

const newSecret = (): string => randomBytes(32).toString('base64url');
const hashOf = (secret: string): string => hash('sha256', Buffer.from(secret, 'base64url'), 'hex');
const aSubscription = () => ({ endpoint: newEndpoint(), expirationTime: null, keys: newKeys() });

/** What reached the log: each event, and whether it is proven. */
const readEvents = (): ReportedEvent[] =>
  api.logStore.take('events', 1_000).flatMap((record) => {
    api.logStore.settle('events', record.position);
    return (JSON.parse(record.text) as { events: ReportedEvent[] }).events;
  });

interface Calling {
  readonly body: SubscribeBody;
  /** Of the caller; none: the document's client. */
  readonly browserSecret: string | undefined;
}

/** Every public route, called with the endpoint and the user identity of another browser's row. */
const calls: Readonly<Record<string, (calling: Calling) => Promise<Answer>>> = {
  'subscribe with its endpoint': ({ body, browserSecret }) =>
    site.post('subscribe', { ...body, browserSecret, externalIds: { acme_id: 'changed' } }),
  'subscribe with its userId': ({ body: { userId }, browserSecret }) =>
    site.post('subscribe', { userId, subscription: aSubscription(), browserSecret }),
  'update with its endpoint': ({ body, browserSecret }) =>
    site.post('update_subscription', { ...body, browserSecret, externalIds: { acme_id: 'changed' } }),
  'update with its userId': ({ body: { userId }, browserSecret }) =>
    site.post('update_subscription', { userId, subscription: aSubscription(), browserSecret }),
  'update without a subscription': ({ body: { userId }, browserSecret }) =>
    site.post('update_subscription', { userId, browserSecret, externalIds: { acme_id: 'changed' } }),
  unsubscribe: ({ body: { userId }, browserSecret }) =>
    site.post('update_subscription', { userId, browserSecret, subscription: null }),
  tags: ({ body: { userId }, browserSecret }) =>
    site.post('subscription-tags', { userId, browserSecret, tags: [{ key: 'a', value: 'b' }] }),
};

type Effect = 'changes it' | 'nothing' | 'a row of its own';
type Caller = 'right' | 'wrong' | 'none';
const nothing = { right: 'changes it', wrong: 'nothing', none: 'nothing' } as const;
const ownRow = { right: 'changes it', wrong: 'a row of its own', none: 'a row of its own' } as const;
const adopted = { right: 'changes it', wrong: 'changes it', none: 'changes it' } as const;
const legacyStays = { right: 'a row of its own', wrong: 'a row of its own', none: 'changes it' } as const;
const forNone = { right: 'nothing', wrong: 'nothing', none: 'changes it' } as const;

/** `right` of a row that has none: the secret that its browser has made since. */
const table: Readonly<
  Record<'with' | 'without', Readonly<Record<string, Readonly<Record<Caller, Effect>>>>>
> = {
  with: {
    'subscribe with its endpoint': nothing,
    'subscribe with its userId': ownRow,
    'update with its endpoint': nothing,
    'update with its userId': ownRow,
    'update without a subscription': nothing,
    unsubscribe: nothing,
    tags: nothing,
  },
  without: {
    'subscribe with its endpoint': adopted,
    'subscribe with its userId': legacyStays,
    'update with its endpoint': adopted,
    'update with its userId': legacyStays,
    'update without a subscription': forNone,
    unsubscribe: forNone,
    tags: forNone,
  },
};

describe.each(['with', 'without'] as const)('a row %s a secret', (kind) => {
  const cells = Object.entries(table[kind]).flatMap(([route, effects]) =>
    Object.entries(effects).map(([caller, effect]) => [route, caller as Caller, effect] as const),
  );
  it.each(cells)('by %s, %s secret: %s', async (route, caller, effect) => {
    const right = newSecret();
    const body = site.subscribeBody();
    await site.post('subscribe', { ...body, ...(kind === 'with' ? { browserSecret: right } : {}) });
    const before = await site.rows();
    const secrets = { right, wrong: newSecret(), none: undefined };
    const call = calls[route] ?? expect.fail(route);
    const answer = await call({ body, browserSecret: secrets[caller] });
    const after = await site.rows();

    const added = after.length - before.length;
    const isSame = JSON.stringify(after[0]) === JSON.stringify(before[0]);
    expect(added > 0 ? 'a row of its own' : isSame ? 'nothing' : 'changes it').toBe(effect);
    if (effect === 'a row of its own') expect(isSame).toBe(true);
    // Nobody can ask whether a row is known, or has a secret.
    expect([answer.statusCode, answer.body]).toEqual([200, '{"success":true}']);
    const { counted, real } = await site.books();
    expect(counted).toEqual(real);
  });
});

describe('a beacon', () => {
  const proofs = createDeliveryProofs(MASTER_KEY);
  const beacon = (delivery: string, changes: object = {}) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/public/beacon',
      headers: { 'x-app-id': site.identifier, origin: 'https://news.example' },
      payload: {
        delivery,
        proof: proofs.prove(site.identifier, delivery),
        events: [{ id: `event-${randomBytes(8).toString('hex')}`, type: 'clicked' }],
        ...changes,
      },
    });
  const subscribed = async (browserSecret?: string) => {
    const body = site.subscribeBody(browserSecret === undefined ? {} : { browserSecret });
    await site.post('subscribe', body);
    return body;
  };

  it.each<[row: string, caller: Caller, seq: number | null]>([
    ['with', 'right', 0],
    ['with', 'wrong', null],
    ['with', 'none', null],
    ['without', 'right', null],
    ['without', 'none', null],
  ])('for a row %s a secret, %s secret: proven as %s', async (row, caller, seq) => {
    const secret = newSecret();
    const { userId } = await subscribed(row === 'with' ? secret : undefined);
    const delivery = await buildAccepted(api.database, site.appId, [0]);
    const secrets = { right: secret, wrong: newSecret(), none: undefined };
    const answer = await beacon(delivery.identifier, { userId, browserSecret: secrets[caller] });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(readEvents()).toMatchObject([{ seq, proven: seq !== null }]);
  });

  it('of a reader whom the delivery was not accepted for proves nothing, whatever the secret', async () => {
    const secrets = [newSecret(), newSecret()];
    for (const secret of secrets) await subscribed(secret);
    const delivery = await buildAccepted(api.database, site.appId, [1]);
    for (const browserSecret of secrets) await beacon(delivery.identifier, { browserSecret });
    expect(readEvents().map(({ seq, proven }) => [seq, proven])).toEqual([
      [null, false],
      [1, true],
    ]);
  });

  it('counts before its block has ended, and where the block gave the reader up it does not', async () => {
    const secret = newSecret();
    await subscribed(secret);
    const inHand = await buildAccepted(api.database, site.appId, [], { audience: [0], state: 'running' });
    const waiting = await buildAccepted(api.database, site.appId, [], { audience: [0], state: 'waiting' });
    const failed = await buildAccepted(api.database, site.appId, [], {
      ...{ audience: [0], settled: [0], state: 'running' },
    });
    for (const { identifier } of [inHand, waiting, failed])
      await beacon(identifier, { browserSecret: secret });
    expect(readEvents().map(({ proven }) => proven)).toEqual([true, false, false]);
  });

  it('that comes late, again, and after the browser moved is of the same reader', async () => {
    const secret = newSecret();
    const body = await subscribed(secret);
    const { identifier } = await buildAccepted(api.database, site.appId, [0]);
    await beacon(identifier, { browserSecret: secret });
    await site.post('subscribe', { ...body, subscription: aSubscription(), browserSecret: secret });
    for (let n = 0; n < 2; n++) await beacon(identifier, { browserSecret: secret });
    expect(readEvents().map(({ seq }) => seq)).toEqual([0, 0, 0]);
  });

  it('claims a thousand readers in vain: one proof proves one', async () => {
    const secret = newSecret();
    await subscribed(secret);
    const { identifier } = await buildAccepted(api.database, site.appId, [0]);
    await beacon(identifier, { browserSecret: secret });
    const forged = Array.from({ length: 100 }, (_, n) =>
      beacon(identifier, { browserSecret: newSecret(), userId: `reader-${n}` }),
    );
    await Promise.all(forged);
    const events = readEvents();
    expect(events).toHaveLength(101);
    expect(events.filter(({ proven }) => proven)).toMatchObject([{ seq: 0 }]);
  });
});

describe('the secret of a browser', () => {
  it('is kept as its hash alone', async () => {
    const browserSecret = newSecret();
    await site.post('subscribe', site.subscribeBody({ browserSecret }));
    const [row] = await api.database.query<{ secret_hash: Buffer; text: string }>(
      `SELECT secret_hash, subscriptions::text AS text FROM subscriptions WHERE app_id = $1`,
      [site.appId],
    );
    expect(row?.secret_hash.toString('hex')).toBe(hashOf(browserSecret));
    expect(row?.text).not.toContain(browserSecret);
  });

  it('is 256 bits, and nothing else is taken for one', async () => {
    for (const browserSecret of ['', 'reader', randomBytes(16).toString('base64url'), 42]) {
      const answer = await site.post('subscribe', site.subscribeBody({ browserSecret }));
      expect([browserSecret, answer.statusCode]).toEqual([browserSecret, 422]);
    }
    expect(await site.rows()).toEqual([]);
  });

  it('lets two browsers of one user each keep its row, also when both come at once', async () => {
    const browsers = Array.from({ length: 20 }, () =>
      site.subscribeBody({ userId: 'one user', browserSecret: newSecret() }),
    );
    await Promise.all(browsers.map((body) => site.post('subscribe', body)));
    const rows = await site.rows();
    expect(rows.map(({ endpoint }) => endpoint).toSorted()).toEqual(
      browsers.map(({ subscription }) => subscription.endpoint).toSorted(),
    );
    expect(rows.every(({ status }) => status === 'subscribed')).toBe(true);
    expect((await site.books()).counted).toEqual([20, 20]);
  });

  it('makes one row of a browser that comes twice at once, with the same and with another endpoint', async () => {
    const body = site.subscribeBody({ browserSecret: newSecret() });
    const moved = { ...body, subscription: aSubscription() };
    const tries = Array.from({ length: 10 }, (_, n) => site.post('subscribe', n % 2 ? body : moved));
    await Promise.all(tries);
    expect(await site.rows()).toMatchObject([{ status: 'subscribed' }]);
    expect((await site.books()).counted).toEqual([1, 1]);
  });

  it('takes over a row without one by its endpoint, with everything that the row holds', async () => {
    const body = site.subscribeBody();
    await site.post('subscribe', body);
    await site.post('subscription-tags', { userId: body.userId, tags: [{ key: 'city', value: 'Ulm' }] });
    const browserSecret = newSecret();
    await site.post('subscribe', { ...body, browserSecret });
    // From now on it is moved by the secret.
    const subscription = aSubscription();
    await site.post('subscribe', { userId: 'renamed', subscription, browserSecret });
    expect(await site.rows()).toMatchObject([
      { endpoint: subscription.endpoint, user_identity: 'renamed', tags: { city: 'Ulm' } },
    ]);
  });

  it('that finds its endpoint in a row without one moves there; its old row belongs to no browser', async () => {
    const [browserSecret, user] = [newSecret(), 'the user'];
    const first = site.subscribeBody({ userId: user, browserSecret });
    await site.post('subscribe', first);
    const imported = site.subscribeBody({ userId: 'imported' });
    await site.post('subscribe', imported);
    await site.post('subscribe', { userId: user, subscription: imported.subscription, browserSecret });
    // Neither the secret nor the user's name brings it back.
    await site.post('subscribe', { userId: user, subscription: aSubscription() });
    await site.post('subscription-tags', { userId: user, browserSecret, tags: [{ key: 'a', value: 'b' }] });
    expect(await site.rows()).toMatchObject([
      { status: 'unsubscribed', endpoint: first.subscription.endpoint, tags: {} },
      { status: 'subscribed', endpoint: imported.subscription.endpoint, tags: { a: 'b' } },
      { status: 'subscribed', user_identity: user, tags: {} },
    ]);
    const { counted, real } = await site.books();
    expect([counted, real]).toEqual([
      [3, 2],
      [3, 2],
    ]);
  });

  it('of one app is another’s in the next', async () => {
    const other = await createSite(api.app, api.database);
    const browserSecret = newSecret();
    for (const each of [site, other]) await each.post('subscribe', each.subscribeBody({ browserSecret }));
    await other.post('update_subscription', { browserSecret, subscription: null });
    expect(await site.rows()).toMatchObject([{ status: 'subscribed' }]);
    expect(await other.rows()).toMatchObject([{ status: 'unsubscribed' }]);
  });
});
