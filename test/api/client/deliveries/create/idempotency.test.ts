// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { removeOldKeys } from '../../../../../engine/adapters/postgres/removal/sweeps.ts';
import { loopbackAllowed, makePng, startImageServer } from '../../../../support/images.ts';
import { appBody, bearer, callAs, createMember, deliveryBody, openWithMember } from '../../../support.ts';

describe('an Idempotency-Key', async () => {
  let keys = 0;
  const server = await startImageServer((_, response) => response.end(makePng()));
  const { api, member } = await openWithMember({ publicAddresses: loopbackAllowed });
  const newPath = async (of = member): Promise<string> => {
    const answer = await callAs(api.app, of)('POST', '/apps', appBody());
    return `/api/v1/client/apps/${answer.json().data.identifier}/deliveries`;
  };
  const path = await newPath();
  afterAll(() => server.close());

  const newKey = (): string => `key-${++keys}`;
  const post = (key: string, payload: object | string = deliveryBody(), url = path, of = member) =>
    api.app.inject({
      method: 'POST',
      url,
      headers: { ...bearer(of.token), 'idempotency-key': key, 'content-type': 'application/json' },
      payload,
    });
  const count = async (): Promise<number> =>
    (await api.database.query<{ n: number }>(`SELECT count(*) AS n FROM deliveries`))[0]?.n ?? 0;

  it('takes a field that is null for one that is left out, whichever came first', async () => {
    const nulls = {
      ...{ image_url: null, delivery_category_id: null, segment_id: null, scheduled_at: null },
      ...{ ignore_frequency_cap: null, action_buttons: null, ttl_seconds: null, require_interaction: null },
      ...{ topic: null, urgency: null, lane: null, rate_per_minute: null, expires_at: null, rehearsal: null },
    };
    for (const bodies of [
      [deliveryBody(nulls), deliveryBody()],
      [deliveryBody(), deliveryBody(nulls)],
      [deliveryBody(nulls), deliveryBody(nulls)],
    ]) {
      const key = newKey();
      const [first, again] = [await post(key, bodies[0]), await post(key, bodies[1])];
      expect([first.statusCode, again.statusCode, again.body]).toEqual([201, 201, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    const key = newKey();
    await post(key, deliveryBody({ topic: null }));
    expect((await post(key, deliveryBody({ topic: 'storm' }))).statusCode).toBe(422);
  });

  it('makes one delivery of two requests, and gives the first answer again, byte for byte', async () => {
    const key = newKey();
    const first = await post(key);
    expect([first.statusCode, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
    const before = await count();
    const { id } = first.json().data;
    await api.database.query(`UPDATE deliveries SET status = 'success' WHERE id = $1`, [id]);
    const again = await post(key);
    expect([again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(await count()).toBe(before);
  });

  it('knows the body whatever the order of its fields, and refuses another', async () => {
    const key = newKey();
    const body = deliveryBody({ action_buttons: [{ title: 'a', url: 'https://a.example' }] });
    const turned = `{"action_buttons": [{"url":"https://a.example","title":"a"}], ${JSON.stringify(
      Object.fromEntries(Object.entries(deliveryBody()).reverse()),
    ).slice(1)}`;
    const first = await post(key, body);
    expect((await post(key, turned)).body).toBe(first.body);
    const before = await count();
    for (const other of [deliveryBody({ title: 'Other' }), deliveryBody(), { nonsense: true }]) {
      const answer = await post(key, other);
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['idempotency-key']]);
    }
    expect(await count()).toBe(before);
  });

  it('makes one delivery of requests that come at once', async () => {
    const before = await count();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(key)));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(7);
    expect(await count()).toBe(before + 1);
    const mixed = newKey();
    const two = await Promise.all([post(mixed), post(mixed, deliveryBody({ title: 'Other' }))]);
    expect(two.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422]);
  });

  it('belongs to one app of one organization', async () => {
    const key = newKey();
    const stranger = await createMember(api.database);
    const ids = [
      await post(key),
      await post(key, deliveryBody(), await newPath()),
      await post(key, deliveryBody(), await newPath(stranger), stranger),
    ].map((answer) => answer.json().data.id);
    expect(new Set(ids).size).toBe(3);
    expect((await post(key, deliveryBody(), path, stranger)).statusCode).toBe(404);
  });

  it('answers again though the time of its delivery has come, and fetches no image again', async () => {
    const key = newKey();
    const dueAt = Date.now() + 2_500;
    const body = deliveryBody({
      scheduled_at: new Date(dueAt).toISOString(),
      image_url: `${server.url}/a.png`,
    });
    const first = await post(key, body);
    expect([first.statusCode, server.asked.length]).toEqual([201, 1]);
    await expect.poll(() => Date.now()).toBeGreaterThan(dueAt);
    expect((await post(key, body)).body).toBe(first.body);
    expect(server.asked).toHaveLength(1);
  });

  it('stays free where the request was refused', async () => {
    const key = newKey();
    expect((await post(key, deliveryBody({ title: '' }))).statusCode).toBe(422);
    expect((await post(key, deliveryBody({ segment_id: 999 }))).statusCode).toBe(422);
    expect((await post(key)).statusCode).toBe(201);
  });

  it('leaves nothing behind where the delivery could not be written', async () => {
    await api.database.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.topic = 'outcomes' OR NEW.topic = 'deliveries' THEN RAISE 'no room'; END IF; RETURN NEW; END $$`);
    await api.database.query(
      `CREATE TRIGGER fail BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    const key = newKey();
    const before = await count();
    expect((await post(key)).statusCode).toBe(500);
    await api.database.query(`DROP TRIGGER fail ON outbox`);
    expect(await count()).toBe(before);
    const answer = await post(key);
    expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });

  it('is forgotten after 24 hours', async () => {
    const key = newKey();
    const first = (await post(key)).json().data.id;
    await api.database.query(
      `UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second' WHERE key = $1`,
      [key],
    );
    const second = await post(key, deliveryBody({ title: 'Next day' }));
    expect(second.statusCode).toBe(201);
    expect(second.json().data.id).not.toBe(first);
    expect((await post(key, deliveryBody({ title: 'Next day' }))).body).toBe(second.body);
  });

  it('is removed after 24 hours, a bounded number at a time', async () => {
    const path2 = await newPath();
    for (let n = 0; n < 3; n++) await post(newKey(), deliveryBody(), path2);
    const left = async () => (await api.database.query(`SELECT 1 FROM idempotency_keys`)).length;
    const before = await left();
    await api.database.query(
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key IN ($1, $2, $3)`,
      [`key-${keys}`, `key-${keys - 1}`, `key-${keys - 2}`],
    );
    expect([await removeOldKeys(api.database, 2), await removeOldKeys(api.database, 2)]).toEqual([2, 1]);
    expect(await left()).toBe(before - 3);
  });

  it.each(['x'.repeat(255), '!', '~"\\'])('may be %s', async (key) => {
    expect((await post(key)).statusCode).toBe(201);
  });

  it.each([['', 'x'.repeat(256)], 'a b', 'é'].flat())('may not be "%s"', async (key) => {
    const answer = await post(key);
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { 'idempotency-key': [expect.stringMatching(/1 to 255 visible ASCII|longer than 255 characters/)] },
    ]);
  });

  it('reads a body that is nested as deep as it may be', async () => {
    const deep = `{"x":${'['.repeat(30_000)}${']'.repeat(30_000)},${JSON.stringify(deliveryBody()).slice(1)}`;
    const answer = await post(newKey(), deep);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['x']]);
  });
});
