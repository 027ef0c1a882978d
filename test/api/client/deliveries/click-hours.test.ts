// tier: postgres
import { beforeEach, expect, it } from 'vitest';
import { appBody, callAs, createMember, deliveryBody, openWithMember } from '../../support.ts';

const { api, call } = await openWithMember();
const app = (await call('POST', '/apps', appBody())).json().data.identifier;
beforeEach(() => {
  api.analytics.away = false;
  api.analytics.hourlyClicks = new Map([
    [0, 7],
    [2, 3],
  ]);
});

const sent = async (hoursAgo: number | null, changes = {}): Promise<string> => {
  const { id } = (await call('POST', `/apps/${app}/deliveries`, deliveryBody(changes))).json().data;
  await api.database.query(
    `UPDATE deliveries SET started_at = date_trunc('second', now()) - $2::float8 * interval '1 hour' WHERE id = $1`,
    [id, hoursAgo],
  );
  return `/apps/${app}/deliveries/${id}/click-hours`;
};

it('has an hour for each that has begun since the start, also where nobody clicked', async () => {
  const { data } = (await call('GET', await sent(2.5))).json();
  expect(data.map(({ clicks }: { clicks: number }) => clicks)).toEqual([7, 0, 3]);
  const [first, second] = data.map(({ from }: { from: string }) => Date.parse(from));
  expect(second - first).toBe(3_600_000);
});

it('ends after two days', async () => {
  expect((await call('GET', await sent(100))).json().data).toHaveLength(48);
});

it('is empty before the start and for a rehearsal, which nobody can click', async () => {
  expect((await call('GET', await sent(null))).json()).toEqual({ data: [] });
  expect((await call('GET', await sent(3, { rehearsal: true }))).json()).toEqual({ data: [] });
});

it('is answered 503 while clicks cannot be counted, and 404 to another organization', async () => {
  const path = await sent(1);
  const stranger = callAs(api.app, await createMember(api.database));
  expect((await stranger('GET', path)).statusCode).toBe(404);
  api.analytics.away = true;
  expect((await call('GET', path)).statusCode).toBe(503);
});
