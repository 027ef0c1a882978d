// tier: postgres
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { deliveryDetailSchema } from '../../api/client/deliveries/schema.ts';
import { appBody, deliveryBody, openWithMember } from '../api/support.ts';

/** Beside the specification's table: what a delivery reports of each push service. */
describe('Delivery, push_services', async () => {
  const { api, call } = await openWithMember();
  const path = `/apps/${(await call('POST', '/apps', appBody())).json().data.identifier}/deliveries`;

  const created = async (): Promise<number> => (await call('POST', path, deliveryBody({}))).json().data.id;
  const read = async (id: number) => {
    const answer = await call('GET', `${path}/${id}`);
    expect(Compile(deliveryDetailSchema).Errors(answer.json().data)).toEqual([]);
    return answer.json().data.push_services;
  };
  /** Two shards of which one ended a block a moment ago; by service: accepted, failed, throttled. */
  const run = async (id: number, status: string): Promise<void> => {
    await api.database.query(`UPDATE deliveries SET status = $2 WHERE id = $1`, [id, status]);
    await api.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, accepted_count, failed_count,
         service_counts, span, span_accepted, span_before)
       SELECT id, app_id, number, ARRAY[number], 1024, 'running', 70, 7, counts::int[],
         floor(extract(epoch FROM now()) / 5)::bigint, '{0,50}', '{0,50}'
       FROM deliveries, (VALUES (0, '{0,0,0,70,7,3}'), (1, '{0,0,0,30,4,0,40,3,0}')) AS given (number, counts)
       WHERE id = $1`,
      [id],
    );
    await api.database.query(
      `INSERT INTO blocks (app_id, delivery_id, block, shard_id, audience, accepted, settled, waiting)
       SELECT app_id, delivery_id, 0, id, zeros, zeros, zeros, '{0,0,12}'
       FROM shards, decode(repeat('00', 128), 'hex') AS zeros WHERE delivery_id = $1 AND number = 0`,
      [id],
    );
  };

  it('is empty before anything was sent, and absent from lists', async () => {
    expect(await read(await created())).toEqual([]);
    const [first] = (await call('GET', path)).json().data;
    expect(first).not.toHaveProperty('push_services');
  });

  it('accepted, failed, throttled | integer | add up to success_count and failed_count', async () => {
    const id = await created();
    await run(id, 'processing');
    const services = await read(id);
    expect(services).toMatchObject([
      { push_service: 'fcm', accepted: 100, failed: 11, throttled: 3 },
      { push_service: 'mozilla', accepted: 40, failed: 3, throttled: 0 },
    ]);
    const { data } = (await call('GET', `${path}/${id}`)).json();
    const sum = (field: string) =>
      services.reduce((total: number, each: Record<string, number>) => total + (each[field] ?? 0), 0);
    expect([sum('accepted'), sum('failed')]).toEqual([data.success_count, data.failed_count]);
  });

  it('waiting | integer | who is left for another attempt', async () => {
    const id = await created();
    await run(id, 'processing');
    expect((await read(id)).map(({ waiting }: { waiting: number }) => waiting)).toEqual([0, 12]);
  });

  it('rate | messages a second, null when it does not run', async () => {
    const id = await created();
    await run(id, 'processing');
    const [{ rate }] = await read(id);
    // 200 within the last five to ten seconds.
    expect(rate).toBeGreaterThanOrEqual(10);
    expect(rate).toBeLessThanOrEqual(40);
    await api.database.query(`UPDATE deliveries SET status = 'cancelled' WHERE id = $1`, [id]);
    expect((await read(id)).map((each: { rate: unknown }) => each.rate)).toEqual([null, null]);
  });
});
