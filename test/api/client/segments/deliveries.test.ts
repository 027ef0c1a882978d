// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import { missingReferences } from '../../../../api/client/segments/references.ts';
import { type AppId, toId } from '../../../../engine/contract/ids.ts';
import { buildDelivery } from '../../../support/builders.ts';
import { until } from '../../../support/engine-harness.ts';
import { appBody, deliveryBody, openWithMember } from '../../support.ts';

describe('segments and deliveries', async () => {
  let app: string;
  const { api, call } = await openWithMember();
  beforeEach(async () => {
    app = (await call('POST', '/apps', appBody())).json().data.identifier;
  });

  const create = async (): Promise<{ id: number }> => {
    const rules = { match: 'all', conditions: [{ field: 'last_clicked', operator: 'never' }] };
    return (await call('POST', `/apps/${app}/segments`, { name: 'Quiet', rules })).json().data;
  };
  const path = (id: number) => `/apps/${app}/segments/${id}`;
  const post = (changes: object) => call('POST', `/apps/${app}/deliveries`, deliveryBody(changes));
  const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

  it('meet: a delivery keeps and shows the segment it is for', async () => {
    const { id } = await create();
    const answer = await post({ segment_id: id });
    expect([answer.statusCode, answer.json().data.segment_id]).toEqual([201, id]);
  });

  it('part: one of another app, or a deleted one, is not a segment', async () => {
    const { id } = await create();
    const other = (await call('POST', '/apps', appBody())).json().data.identifier;
    const foreign = await call('POST', `/apps/${other}/deliveries`, deliveryBody({ segment_id: id }));
    await call('DELETE', path(id));
    const deleted = await post({ segment_id: id });
    for (const answer of [foreign, deleted]) {
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        { segment_id: ['The segment_id field must refer to an existing segment.'] },
      ]);
    }
    expect(api.wakes()).toBe(await countDeliveries());
  });

  const countDeliveries = async () =>
    (await api.database.query('SELECT 1 FROM deliveries WHERE scheduled_at IS NULL')).length;

  it.each(['pending', 'scheduled', 'queued'])(
    'of the status %s keep their segment from being deleted',
    async (status) => {
      const { id } = await create();
      const { data } = (await post({ segment_id: id, scheduled_at: tomorrow() })).json();
      await api.database.query('UPDATE deliveries SET status = $2 WHERE id = $1', [data.id, status]);
      const answer = await call('DELETE', path(id));
      expect([answer.statusCode, answer.json()]).toEqual([
        422,
        { message: expect.stringContaining('not started yet uses this segment') },
      ]);
      expect((await call('GET', path(id))).statusCode).toBe(200);
    },
  );

  it.each(['processing', 'success', 'cancelled'])('of the status %s let their segment go', async (status) => {
    const { id } = await create();
    const { data } = (await post({ segment_id: id })).json();
    await api.database.query('UPDATE deliveries SET status = $2 WHERE id = $1', [data.id, status]);
    expect((await call('DELETE', path(id))).statusCode).toBe(204);
    expect((await call('GET', `/apps/${app}/deliveries/${data.id}`)).json().data.segment_id).toBe(id);
  });

  it('racing with a deletion never leave a delivery with a segment that is gone', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create();
      const [posted, deleted] = await Promise.all([post({ segment_id: id }), call('DELETE', path(id))]);
      expect([
        [201, 422],
        [422, 204],
      ]).toContainEqual([posted.statusCode, deleted.statusCode]);
    }
  });

  it('hold a deletion up until the create that refers to the segment has ended', async () => {
    const { id } = await create();
    const [row] = await api.database.query<{ app_id: AppId }>('SELECT app_id FROM segments WHERE id = $1', [
      id,
    ]);
    const appId = toId<AppId>(row?.app_id);
    const referred = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const creating = api.database.transaction(async (sql) => {
      expect(await missingReferences(sql, appId, { segment_id: id })).toBeNull();
      referred.resolve();
      await release.promise;
      const deliveryId = await buildDelivery({ ...api.database, ...sql }, appId);
      await sql.query('UPDATE deliveries SET segment_id = $2 WHERE id = $1', [deliveryId, id]);
    });
    await referred.promise;
    const deleting = call('DELETE', path(id));
    await until('the deletion to wait', async () => {
      const waiting = await api.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length === 1;
    });
    release.resolve();
    await creating;
    expect((await deleting).statusCode).toBe(422);
  });
});
