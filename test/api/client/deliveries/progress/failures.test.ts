// tier: postgres
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { foldFailures } from '../../../../../api/client/deliveries/progress/failures.ts';
import { deliveryDetailSchema } from '../../../../../api/client/deliveries/schema.ts';
import { appBody, deliveryBody, openWithMember } from '../../../support.ts';

describe('the failures of a delivery', async () => {
  const { api, call } = await openWithMember();
  const path = `/apps/${(await call('POST', '/apps', appBody())).json().data.identifier}/deliveries`;

  const shard = (id: number, number: number, state: string, reasons: object, dueIn = '1 hour') =>
    api.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, failed_count, failure_reasons, due_at)
       SELECT id, app_id, $2, ARRAY[$2::int], 1024, $3, (SELECT coalesce(sum(value::int), 0) FROM jsonb_each_text($4::jsonb)),
         $4::jsonb, now() + $5::interval FROM deliveries WHERE id = $1`,
      [id, number, state, JSON.stringify(reasons), dueIn],
    );

  async function running(): Promise<number> {
    const id: number = (await call('POST', path, deliveryBody({}))).json().data.id;
    await api.database.query(
      `UPDATE deliveries SET status = 'processing', started_at = now() WHERE id = $1`,
      [id],
    );
    await shard(id, 0, 'waiting', { 'gone, fcm answered 410: NotRegistered': 5, 'rejected: bad-key': 1 });
    await shard(
      id,
      1,
      'waiting',
      { 'gone, fcm answered 410': 2, 'gone, mozilla answered 404': 1 },
      '1 minute',
    );
    return id;
  }

  it('is counted by outcome, push service and answer over all parts, and the gone apart', async () => {
    const id = await running();
    const { data } = (await call('GET', `${path}/${id}`)).json();
    expect(Compile(deliveryDetailSchema).Errors(data)).toEqual([]);
    expect(data).toMatchObject({ failed_count: 9, gone_count: 8 });
    expect(data.failures).toEqual([
      { outcome: 'gone', push_service: 'fcm', http_status: 410, reason: 'NotRegistered', count: 7 },
      { outcome: 'gone', push_service: 'mozilla', http_status: 404, reason: null, count: 1 },
      { outcome: 'rejected', push_service: null, http_status: null, reason: 'bad-key', count: 1 },
    ]);
    const [listed] = (await call('GET', path)).json().data;
    expect(listed).toMatchObject({ id, gone_count: 8 });
    expect(listed).not.toHaveProperty('failures');
  });

  it('comes with the time of the next try while it runs, and without one afterwards', async () => {
    const id = await running();
    const read = async () => (await call('GET', `${path}/${id}/progress`)).json().data;
    const inMs = Date.parse((await read()).next_attempt_at) - Date.now();
    expect(inMs).toBeGreaterThan(0);
    expect(inMs).toBeLessThanOrEqual(60_000);
    await api.database.query(`UPDATE deliveries SET status = 'partial', failed_count = 9 WHERE id = $1`, [
      id,
    ]);
    expect(await read()).toMatchObject({ next_attempt_at: null, gone_count: 8 });
  });

  it('keeps a reason with colons and lines whole, and leaves out what it cannot read', () => {
    const rows = [
      { text: 'rejected, apple answered 403: {"reason":"BadJwtToken: old"}', count: 2 },
      { text: 'made up, nobody answered', count: 1 },
    ];
    expect(foldFailures(rows)).toEqual([
      {
        ...{ outcome: 'rejected', push_service: 'apple', http_status: 403, count: 2 },
        reason: '{"reason":"BadJwtToken: old"}',
      },
    ]);
  });
});
