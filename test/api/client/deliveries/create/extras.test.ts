// tier: postgres
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { deliverySchema } from '../../../../../api/client/deliveries/schema.ts';
import { toId } from '../../../../../engine/contract/ids.ts';
import { appBody, bearer, callAs, createMember, deliveryBody, openWithMember } from '../../../support.ts';

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('a delivery', async () => {
  const { api, member } = await openWithMember();
  const token = member.token;
  const call = callAs(api.app, member);
  const path = `/apps/${(await call('POST', '/apps', appBody())).json().data.identifier}/deliveries`;

  const create = async (changes: object = {}) => {
    const answer = await call('POST', path, deliveryBody(changes));
    expect([answer.statusCode, answer.json().errors]).toEqual([201, undefined]);
    expect(Compile(deliverySchema).Errors(answer.json().data)).toEqual([]);
    return answer.json().data;
  };

  it('has defaults that change nothing for fields outside the specification', async () => {
    const extras = { urgency: 'normal', lane: 'bulk', rate_per_minute: null, expires_at: null };
    expect(await create()).toMatchObject(extras);
  });

  it('keeps its urgency, lane, rate and expiry', async () => {
    const extras = { urgency: 'high', lane: 'breaking', rate_per_minute: 10_000_000 };
    const data = await create({ ...extras, expires_at: '2099-01-01T00:00:00+01:00' });
    expect(data).toMatchObject({ ...extras, expires_at: '2098-12-31T23:00:00+00:00' });
    await create({ scheduled_at: inMs(60_000), expires_at: inMs(61_000) });
  });

  it.each([
    ['urgency', { urgency: 'urgent' }, /must be one of very-low, low, normal, high/],
    ['lane', { lane: 'fast' }, /must be one of bulk, breaking/],
    ['rate_per_minute', { rate_per_minute: 0 }, /at least 1/],
    ['rate_per_minute', { rate_per_minute: 1.5 }, /must be an integer/],
    ['rate_per_minute', { rate_per_minute: 10_000_001 }, /greater than/],
    ['expires_at', { expires_at: '2001-01-01T00:00:00Z' }, /in the future/],
    ['expires_at', { expires_at: 'never' }, /ISO 8601/],
    ['expires_at', { scheduled_at: '2099-01-02T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' }, /after sch/],
    ['expires_at', { scheduled_at: '2099-01-01T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' }, /after sch/],
  ])('answers 422 naming %s for %j', async (field, changes, message) => {
    const answer = await call('POST', path, deliveryBody(changes));
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { [field]: [expect.stringMatching(message)] },
    ]);
  });

  it.each([
    ['no body and no type', {}],
    ['no body after its type', { headers: { 'content-type': 'application/json' } }],
    ['an empty object', { payload: {} }],
  ])('is cancelled by a request with %s', async (_, request) => {
    const { id } = await create();
    // No more clicks are shown than were accepted.
    await api.database.query(
      `WITH begun AS (UPDATE deliveries SET status = 'processing' WHERE id = $1 RETURNING id, app_id)
       INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, audience_count, accepted_count)
       SELECT id, app_id, 0, '{0}', 5, 'settled', 5, 5 FROM begun`,
      [id],
    );
    api.analytics.clicks.set(toId(id), 3);
    const answer = await api.app.inject({
      method: 'POST',
      url: `/api/v1/client${path}/${id}/cancel`,
      ...request,
      headers: { ...bearer(token), ...('headers' in request ? request.headers : {}) },
    });
    expect([answer.statusCode, answer.json().data]).toMatchObject([
      200,
      { status: 'cancelled', click_count: 3 },
    ]);
    expect(Compile(deliverySchema).Errors(answer.json().data)).toEqual([]);
  });

  it('of another app or organization, or of none, is a 404', async () => {
    const { id } = await create();
    const other = (await call('POST', '/apps', appBody())).json().data.identifier;
    const stranger = callAs(api.app, await createMember(api.database));
    const answers = await Promise.all([
      call('POST', `${path}/999999/cancel`),
      call('POST', `${path}/x/cancel`),
      call('POST', `/apps/${other}/deliveries/${id}/cancel`),
      stranger('POST', `${path}/${id}/cancel`),
    ]);
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not found.' }]);
    }
    expect((await call('GET', `${path}/${id}`)).json().data.status).toBe('pending');
  });

  it('is noted when it is created and when it is cancelled, and not when either is refused', async () => {
    const { id } = await create({ name: 'Noted' });
    await call('POST', path, deliveryBody({ segment_id: 99 }));
    for (let n = 0; n < 2; n++) await call('POST', `${path}/${id}/cancel`);
    const rows = await api.database.query(
      `SELECT action, detail FROM audit_log WHERE subject_id = $1 AND action LIKE 'delivery.%' ORDER BY id`,
      [String(id)],
    );
    expect(rows).toEqual([
      { action: 'delivery.created', detail: { name: 'Noted' } },
      { action: 'delivery.cancelled', detail: {} },
    ]);
  });

  it('that was cancelled shows no fewer subscribers than it reached', async () => {
    const { id } = await create();
    await api.database.query(
      `UPDATE deliveries SET status = 'cancelled', total_subscribers = 10 WHERE id = $1`,
      [id],
    );
    await api.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, audience_count, accepted_count, failed_count)
       SELECT id, app_id, 0, '{0}', 10, 12, 11, 1 FROM deliveries WHERE id = $1`,
      [id],
    );
    const { data } = (await call('GET', `${path}/${id}`)).json();
    expect(data).toMatchObject({ total_subscribers: 12, success_count: 11, failed_count: 1 });
  });
});
