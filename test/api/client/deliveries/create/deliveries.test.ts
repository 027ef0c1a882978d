// tier: postgres
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { deliverySchema } from '../../../../../api/client/deliveries/schema.ts';
import { toId } from '../../../../../engine/contract/ids.ts';
import { createDeliveryProofs } from '../../../../../engine/notification/delivery-proof.ts';
import { MAX_PLAINTEXT_BYTES } from '../../../../../engine/notification/notification.ts';
import { appBody, callAs, createMember, deliveryBody, MASTER_KEY, openWithMember } from '../../../support.ts';

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

describe('deliveries', async () => {
  const { api, call } = await openWithMember();
  const identifier = (await call('POST', '/apps', appBody({ default_ttl_seconds: 600 }))).json().data
    .identifier;
  const path = `/apps/${identifier}/deliveries`;

  const row = async (id: number) => {
    const [found] = await api.database.query<{ plaintext: Buffer; outbox: object | null }>(
      `SELECT plaintext, (SELECT jsonb_build_object('topic', topic, 'key', key, 'value', value) FROM outbox
         WHERE topic LIKE 'deliveries%' AND key = deliveries.id::text) AS outbox FROM deliveries WHERE id = $1`,
      [id],
    );
    if (found === undefined) throw new Error(`no delivery ${id}`);
    return { outbox: found.outbox, notification: JSON.parse(found.plaintext.toString()) };
  };

  it('are accepted with an outbox row in the same transaction, and the relay is woken', async () => {
    const wakes = api.wakes();
    const answer = await call('POST', path, deliveryBody());
    expect(answer.statusCode).toBe(201);
    const { data } = answer.json();
    expect(Compile(deliverySchema).Errors(data)).toEqual([]);
    expect(data).toMatchObject({
      identifier: expect.stringMatching(/^dlv_/),
      status: 'pending',
      source_type: 'api',
      ttl_seconds: 600,
      ignore_frequency_cap: false,
      require_interaction: false,
      segment_id: null,
      topic: null,
      scheduled_at: null,
      action_buttons: [],
      total_subscribers: 0,
      click_rate: 0,
    });
    expect((await row(data.id)).outbox).toEqual({
      topic: 'deliveries',
      key: String(data.id),
      value: { delivery_id: data.id },
    });
    expect(api.wakes()).toBe(wakes + 1);
    expect((await call('GET', `${path}/${data.id}`)).json()).toMatchObject({ data });
  });

  it('of the breaking lane have a topic of their own', async () => {
    const { data } = (await call('POST', path, deliveryBody({ lane: 'breaking' }))).json();
    expect((await row(data.id)).outbox).toMatchObject({ topic: 'deliveries.breaking', key: String(data.id) });
  });

  it('leave neither a delivery nor an outbox row behind when the transaction fails', async () => {
    const count = async () =>
      (
        await api.database.query<{ n: number }>(
          `SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM outbox) AS n`,
        )
      )[0]?.n;
    const before = await count();
    await api.database.query(`ALTER TABLE outbox ADD CONSTRAINT broken CHECK (false) NOT VALID`);
    const answer = await call('POST', path, deliveryBody());
    await api.database.query(`ALTER TABLE outbox DROP CONSTRAINT broken`);
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { message: 'Something went wrong on our side.' },
    ]);
    expect(await count()).toBe(before);
  });

  it('that are scheduled wait without an outbox row', async () => {
    const wakes = api.wakes();
    const time = '2099-01-31T12:00:00+02:00';
    const { data } = (await call('POST', path, deliveryBody({ scheduled_at: time }))).json();
    expect(data).toMatchObject({ status: 'scheduled', scheduled_at: '2099-01-31T10:00:00+00:00' });
    expect((await row(data.id)).outbox).toBeNull();
    expect(api.wakes()).toBe(wakes);
  });

  // The rules of each field: test/specification/deliveries.test.ts.
  it.each<[field: string, changes: object, message: RegExp]>([
    ['title', { title: 'a\ud800' }, /cannot be stored/],
    ['body', { body: 'a\0' }, /cannot be stored/],
    ['segment_id', { segment_id: 1e12 }, /greater than/],
    ['action_buttons.0.title', { action_buttons: [button({ title: '\udc00' })] }, /cannot be stored/],
  ])('answer 422 naming %s for %j', async (field, changes, message) => {
    const answer = await call('POST', path, deliveryBody(changes));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({ [field]: [expect.stringMatching(message)] });
  });

  it('take a time without an offset for UTC', async () => {
    const { data } = (await call('POST', path, deliveryBody({ scheduled_at: '2099-06-01T08:30:00' }))).json();
    expect(data.scheduled_at).toBe('2099-06-01T08:30:00+00:00');
  });

  it('whose notification would not fit a push message are refused, with the measure', async () => {
    const url = (length: number) => `https://news.example.com/${'x'.repeat(length)}`;
    const withUrl = (length: number) =>
      deliveryBody({ url: url(length), action_buttons: [{ ...button(), url: url(1_500) }] });
    const { id } = (await call('POST', path, withUrl(1_500))).json().data;
    const [size] = await api.database.query<{ bytes: number }>(
      `SELECT octet_length(plaintext) AS bytes FROM deliveries WHERE id = $1`,
      [id],
    );
    const room = 1_500 + MAX_PLAINTEXT_BYTES - (size?.bytes ?? 0);
    expect((await call('POST', path, withUrl(room))).statusCode).toBe(201);
    const refused = await call('POST', path, withUrl(room + 1));
    expect([refused.statusCode, refused.json().errors.url[0]]).toEqual([
      422,
      expect.stringMatching(/3994 bytes.*at most 3993: shorten this field by 1 byte\./),
    ]);
  });

  it('are built once, as a declarative message that names and proves its delivery', async () => {
    const body = deliveryBody({ topic: 'weather', action_buttons: [button()], require_interaction: true });
    const { data } = (await call('POST', path, body)).json();
    const { notification, web_push, mutable } = (await row(data.id)).notification;
    expect([web_push, mutable, notification.mutable]).toEqual([8030, true, true]);
    const click = `${data.identifier}.${notification.data.proof}`;
    expect(notification).toMatchObject({
      title: 'Good morning',
      navigate: `https://news.example.com/today?broadside=${click}`,
      tag: 'weather',
      requireInteraction: true,
      actions: [
        { action: 'button-0', title: 'Read', navigate: `https://news.example.com/read?broadside=${click}.0` },
      ],
      data: { app: identifier, delivery: data.identifier },
    });
    const proofs = createDeliveryProofs(MASTER_KEY);
    expect(proofs.isProof(notification.data.proof, identifier, data.identifier)).toBe(true);
    expect(proofs.isProof(notification.data.proof, identifier, 'dlv_other')).toBe(false);
  });

  it('answer 404 where they are missing, no number, or another app’s, always alike', async () => {
    const { id } = (await call('POST', path, deliveryBody())).json().data;
    const other = (await call('POST', '/apps', appBody())).json().data.identifier;
    const stranger = callAs(api.app, await createMember(api.database));
    const answers = await Promise.all([
      call('GET', `${path}/999999`),
      call('GET', `${path}/x1`),
      call('GET', `${path}/99999999999999999999`),
      call('GET', `/apps/${other}/deliveries/${id}`),
      stranger('GET', `${path}/${id}`),
      stranger('GET', path),
      stranger('POST', path, deliveryBody()),
    ]);
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not found.' }]);
  });

  it('show the sums over their shards while they run, and clicks from analytics', async () => {
    const { data } = (await call('POST', path, deliveryBody())).json();
    await api.database.query(
      `UPDATE deliveries SET status = 'processing', total_subscribers = 100 WHERE id = $1`,
      [data.id],
    );
    await api.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, accepted_count, failed_count, capped_count)
       SELECT id, app_id, n, '{0}', 50, 30 + n, 2, 1 FROM deliveries, generate_series(0, 1) AS n WHERE id = $1`,
      [data.id],
    );
    api.analytics.clicks.set(toId(data.id), 6);
    const shown = { total_subscribers: 100, success_count: 61, failed_count: 4, capped_subscribers: 2 };
    const one = (await call('GET', `${path}/${data.id}`)).json().data;
    expect(one).toMatchObject({ ...shown, click_count: 6, click_rate: 9.84 });
    const list = (await call('GET', `${path}?status=processing`)).json().data;
    expect([one]).toMatchObject(list);
  });

  it('can be followed while ClickHouse is unavailable', async () => {
    const { id } = (await call('POST', path, deliveryBody())).json().data;
    api.analytics.away = true;
    const answer = await call('GET', `${path}/${id}`);
    api.analytics.away = false;
    expect([answer.statusCode, answer.json().data.click_count]).toEqual([200, 0]);
  });
});

const button = (changes: object = {}) => ({
  title: 'Read',
  url: 'https://news.example.com/read',
  ...changes,
});

describe('the list of deliveries', async () => {
  const { api, call } = await openWithMember();
  const path = `/apps/${(await call('POST', '/apps', appBody())).json().data.identifier}/deliveries`;
  await call('POST', path, deliveryBody({ name: 'Alpha 100%', title: 'One' }));
  await call('POST', path, deliveryBody({ name: 'Beta', title: 'Two', scheduled_at: tomorrow() }));
  await call('POST', path, deliveryBody({ name: 'Gamma', title: 'Three' }));
  await api.database.query(
    `UPDATE deliveries SET created_at = ('2026-01-0' || id || 'T12:00:00Z')::timestamptz`,
  );

  it.each([
    ['', ['Gamma', 'Beta', 'Alpha 100%']],
    ['?per_page=1&page=2', ['Beta']],
    ['?status=scheduled', ['Beta']],
    ['?status=success', []],
    ['?name=ET', ['Beta']],
    ['?name=100%25', ['Alpha 100%']],
    ['?name=%25', ['Alpha 100%']],
    ['?name=_', []],
    ['?title=o', ['Beta', 'Alpha 100%']],
    ['?category=sports', []],
    ['?created_after=2026-01-02', ['Gamma', 'Beta']],
    ['?created_before=2026-01-02', ['Beta', 'Alpha 100%']],
    ['?created_after=2026-01-02T12:00:01Z', ['Gamma']],
    ['?created_after=2026-01-02&created_before=2026-01-02', ['Beta']],
  ])('filtered by "%s" shows %j, newest first', async (query, expected) => {
    const answer = await call('GET', path + query);
    expect(answer.json().data.map(({ name }: { name: string }) => name)).toEqual(expected);
  });

  it.each([
    ['status=sent', 'status'],
    ['created_after=yesterday', 'created_after'],
    ['created_before=2026-02-30', 'created_before'],
    [`name=${'x'.repeat(256)}`, 'name'],
    ['name=a%00b', 'name'],
    ['per_page=0', 'per_page'],
  ])('answers 422 for %s', async (query, field) => {
    const answer = await call('GET', `${path}?${query}`);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]]);
  });
});

describe('the list of deliveries, sorted', async () => {
  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const path = `/apps/${identifier}/deliveries`;
  for (const name of ['A', 'B', 'C', 'D']) await call('POST', path, deliveryBody({ name }));
  const set = (name: string, values: string) =>
    api.database.query(`UPDATE deliveries SET ${values} WHERE name = $1`, [name]);
  const ended = `status = 'success', started_at = now(), completed_at = now()`;
  await set('A', `${ended}, total_subscribers = 500, success_count = 400, failed_count = 100`);
  await set('B', `${ended}, total_subscribers = 900, success_count = 900`);
  await set('C', `status = 'processing', started_at = now(), total_subscribers = 800`);
  await api.database.query(
    `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, audience_count, accepted_count, failed_count)
       SELECT id, app_id, 0, '{}', 800, 950, 600, 7 FROM deliveries WHERE name = 'C'`,
  );
  for (const { id, name } of (await call('GET', path)).json().data) {
    api.analytics.clicks.set(id, { A: 40, B: 45, C: 700, D: 0 }[name as 'A'] ?? 0);
  }

  const names = async (query: string): Promise<string> =>
    (await call('GET', `${path}?${query}`))
      .json()
      .data.map(({ name }: { name: string }) => name)
      .join('');

  it.each([
    ['sort=created_at', 'DCBA'],
    ['direction=asc', 'ABCD'],
    ['sort=total_subscribers', 'CBAD'],
    ['sort=success_count', 'BCAD'],
    ['sort=success_count&direction=asc', 'DACB'],
    ['sort=failed_count', 'ACDB'],
    ['sort=click_count', 'CBAD'],
    ['sort=click_rate', 'CABD'],
    ['sort=click_rate&per_page=1&page=2', 'A'],
    ['sort=click_rate&per_page=1&page=4', 'D'],
    ['sort=success_count&per_page=2&page=2', 'AD'],
    ['sort=success_count&status=success', 'BA'],
  ])('by "%s" is %s: running ones by what they have so far', async (query, expected) => {
    expect(await names(query)).toBe(expected);
  });

  it('by clicks is answered 503 while they cannot be counted, and by anything else is not', async () => {
    api.analytics.away = true;
    expect((await call('GET', `${path}?sort=click_rate`)).statusCode).toBe(503);
    expect(await names('sort=success_count')).toBe('BCAD');
    api.analytics.away = false;
  });

  it.each(['sort=name', 'sort=', 'direction=up'])('answers 422 for %s', async (query) => {
    expect((await call('GET', `${path}?${query}`)).statusCode).toBe(422);
  });
});
