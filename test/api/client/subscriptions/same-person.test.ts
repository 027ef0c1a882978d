// tier: postgres
import { describe, expect, it } from 'vitest';
import { buildAccepted } from '../../../support/builders.ts';
import { appIdOf, insertSubscriptions } from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, openTestApi } from '../../support.ts';

describe('the subscriptions of one person', async () => {
  const api = await openTestApi();
  const database = api.database;
  const call = callAs(api.app, await createMember(database));
  const identifier = (await call('POST', '/apps', appBody())).json().data.identifier;
  const path = `/apps/${identifier}/subscriptions`;
  const rows = await insertSubscriptions(database, await appIdOf(database, identifier), [
    { user_identity: 'ada', last_seen_at: '2026-01-01T00:00:00Z' },
    { user_identity: 'ada', last_seen_at: '2026-01-03T00:00:00Z', external_ids: { account: '10%_01' } },
    { user_identity: 'other', last_seen_at: '2026-01-02T00:00:00Z', external_ids: { account: '10%_01' } },
    { user_identity: 'adam', external_ids: { partner: '10%_01', account: '10%_012' } },
    { external_ids: { account: '10AB01' } },
    { user_identity: null },
  ]);
  const ids = rows.map(({ id }) => id);

  const samePerson = async (index: number): Promise<number[]> => {
    const { data } = (await call('GET', `${path}/${ids[index]}/same-person`)).json();
    return data.map(({ id }: { id: number }) => ids.indexOf(id));
  };

  it('are those with its user identity or an external id of the same name, seen last first', async () => {
    expect(await samePerson(0)).toEqual([1]);
    expect(await samePerson(1)).toEqual([2, 0]);
    expect(await samePerson(2)).toEqual([1]);
    for (const alone of [3, 4, 5]) expect([alone, await samePerson(alone)]).toEqual([alone, []]);
  });

  it('are found together by a search for the id', async () => {
    const found = async (search: string) => {
      const answer = await call('GET', `${path}?search=${encodeURIComponent(search)}`);
      return answer.json().data.map(({ id }: { id: number }) => ids.indexOf(id));
    };
    expect((await found('other')).toSorted()).toEqual([2]);
    expect((await found('10%_01')).toSorted()).toEqual([1, 2, 3]);
  });

  it('are listed in the trace of one of them', async () => {
    const delivery = await buildAccepted(database, await appIdOf(database, identifier), [1, 2], {
      audience: [0, 1, 2],
      settled: [0, 1, 2],
    });
    await database.query(`UPDATE deliveries SET started_at = now() WHERE id = $1`, [delivery.id]);
    const trace = await call('GET', `/apps/${identifier}/deliveries/${delivery.id}/subscriptions/${ids[1]}`);
    expect(trace.json().data).toMatchObject({
      decision: 'accepted',
      same_person: [
        { subscription_id: ids[2], decision: 'accepted' },
        { subscription_id: ids[0], decision: 'failed' },
      ],
    });
  });

  it('are at most twenty, and never of another app', async () => {
    const other = (await call('POST', '/apps', appBody())).json().data.identifier;
    const many = Array.from({ length: 30 }, () => ({ user_identity: 'ada' }));
    const rows = await insertSubscriptions(database, await appIdOf(database, other), many);
    expect(await samePerson(0)).toEqual([1]);
    const answer = await call('GET', `/apps/${other}/subscriptions/${rows[0]?.id}/same-person`);
    expect(answer.json().data).toHaveLength(20);
    expect((await call('GET', `${path}/${rows[0]?.id}/same-person`)).statusCode).toBe(404);
  });
});
