// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { appBody, callAs, createMember, deliveryBody } from '../support.ts';
import { openCampaignStand, words } from './campaigns/stand.ts';

const DAY_MS = 86_400_000;
const dayOf = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

describe('the calendar', async () => {
  const stand = await openCampaignStand();
  await stand.call('PATCH', '', { ...appBody(), time_zone: 'Europe/Berlin' });
  afterAll(() => stand.close());

  const read = (from: string, until: string) => stand.call('GET', `/calendar?from=${from}&until=${until}`);
  const entries = async (from = dayOf(-2), until = dayOf(8)) => {
    const answer = await read(from, until);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data.entries as Record<string, unknown>[];
  };
  const send = async (rest: object = {}) =>
    (await stand.call('POST', '/deliveries', deliveryBody(rest))).json().data;

  it('is empty for an app that sent nothing, and has what was sent, is scheduled and is expected', async () => {
    expect(await entries()).toEqual([]);
    const now = await send({ name: 'Now' });
    const later = await send({ name: 'Later', scheduled_at: `${dayOf(3)}T18:00:00Z` });
    await send({ name: 'A rehearsal', rehearsal: true });
    const gone = await send({ name: 'Gone', scheduled_at: `${dayOf(4)}T18:00:00Z` });
    await stand.call('POST', `/deliveries/${gone.id}/cancel`);
    const plan = { kind: 'recurring', schedule: '30 7 * * *', time_zone: 'Europe/Berlin' };
    const daily = await stand.create({ name: 'Daily', notifications: [words('Morning')], plan });
    const local = await stand.create({
      ...{ name: 'Local', notifications: [words('At eight')] },
      plan: { kind: 'local_time', at: `${dayOf(5)}T08:00` },
    });
    const all = await entries();
    expect(all.filter(({ kind }) => kind === 'delivery')).toMatchObject([
      { id: now.id, name: 'Now', success_count: 0, movable: false, campaign_id: null },
      {
        ...{ id: later.id, status: 'scheduled', at: `${dayOf(3)}T18:00:00+00:00`, success_count: null },
        ...{ movable: true, changes: 0, approval: null },
      },
    ]);
    const firings = all.filter(({ kind }) => kind === 'firing');
    expect(firings.length).toBeGreaterThanOrEqual(8);
    expect(firings.length).toBeLessThanOrEqual(9);
    expect(firings[0]).toMatchObject({ id: daily.id, title: 'Morning', movable: false, by_reader: false });
    const campaigns = all.filter(({ kind }) => kind === 'campaign');
    expect(campaigns).toMatchObject([{ id: local.id, name: 'Local', by_reader: true }]);
    const times = all.map(({ at }) => Date.parse(String(at)));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const each of [daily, local]) await stand.call('POST', `/campaigns/${each.id}/cancel`);
  });

  it('begins today, and has 31 days, unless asked otherwise', async () => {
    const near = await send({ name: 'Near', scheduled_at: `${dayOf(30)}T18:00:00Z` });
    const far = await send({ name: 'Far', scheduled_at: `${dayOf(31)}T18:00:00Z` });
    const ids = async (query: string) =>
      (await stand.call('GET', `/calendar${query}`)).json().data.entries.map(({ id }: { id: number }) => id);
    expect(await ids('')).toContain(near.id);
    expect(await ids('')).not.toContain(far.id);
    expect(await ids(`?from=${dayOf(31)}`)).toEqual([far.id]);
    expect(await ids(`?until=${dayOf(30)}`)).toEqual(await ids(''));
    for (const { id } of [near, far]) await stand.call('POST', `/deliveries/${id}/cancel`);
  });

  it('has a daily firing at its local time on the days when clocks change', async () => {
    const plan = { kind: 'recurring', schedule: '30 7 * * *', time_zone: 'Europe/Berlin' };
    const { id } = await stand.create({ name: 'Daily', notifications: [words('Morning')], plan });
    const spring = (await entries('2027-03-27', '2027-03-29')).map(({ at }) => at);
    expect(spring).toEqual([
      '2027-03-27T06:30:00+00:00',
      '2027-03-28T05:30:00+00:00',
      '2027-03-29T05:30:00+00:00',
    ]);
    await stand.call('POST', `/campaigns/${id}/cancel`);
  });

  it('moves what it says is movable', async () => {
    const { id } = await send({ scheduled_at: '2999-05-01T10:00:00Z' });
    const [entry] = await entries('2999-05-01', '2999-05-01');
    expect(entry).toMatchObject({ id, movable: true });
    const changes = { scheduled_at: '2999-05-02T10:00:00Z', expected_changes: entry?.changes };
    expect((await stand.call('PATCH', `/deliveries/${id}`, changes)).statusCode).toBe(200);
    expect(await entries('2999-05-01', '2999-05-01')).toEqual([]);
    expect(await entries('2999-05-02', '2999-05-02')).toMatchObject([{ id, changes: 1 }]);
  });

  it('shows what waits for somebody where it would be', async () => {
    await createMember(stand.api.database, { organizationId: stand.member.organizationId });
    await stand.call('PATCH', '', { ...appBody(), approval: 'all' });
    const { id } = await send({ scheduled_at: '2999-06-01T10:00:00Z' });
    expect(await entries('2999-06-01', '2999-06-01')).toMatchObject([
      { id, status: 'pending', approval: 'waiting', movable: true, success_count: null },
    ]);
    await stand.call('PATCH', '', { ...appBody(), approval: 'none' });
  });

  it('has at most a thousand entries, and says that there are more', async () => {
    await stand.api.database.query(
      `INSERT INTO deliveries (app_id, identifier, name, title, body, url, status, source_type, ignore_frequency_cap,
         action_buttons, ttl_seconds, require_interaction, plaintext, scheduled_at, urgency, lane)
       SELECT $1, 'dlv_many_' || n, 'Many', 'T', 'B', 'https://news.example.com/', 'success', 'api', false, '[]', 60, false,
         ''::bytea, '2020-01-01T00:00:00Z'::timestamptz + make_interval(mins => n), 'normal', 'bulk'
       FROM generate_series(1, 1001) AS n`,
      [stand.appId],
    );
    const { data } = (await read('2020-01-01', '2020-01-02')).json();
    expect([data.entries.length, data.truncated]).toEqual([1_000, true]);
    const { data: first } = (await read('2020-01-01T00:00:00Z', '2020-01-01T01:00:00Z')).json();
    expect([first.entries.length, first.truncated]).toEqual([60, false]);
  });

  it('is refused for too many days and for none, and is a wall', async () => {
    expect((await read('2026-01-01', '2026-04-01')).json().errors).toHaveProperty('until');
    expect((await read('2026-01-02', '2026-01-01')).json().errors).toHaveProperty('until');
    expect((await read('soon', '2026-01-01')).json().errors).toHaveProperty('from');
    const stranger = callAs(stand.api.app, await createMember(stand.api.database));
    const path = `/apps/${stand.app}/calendar?from=2026-01-01&until=2026-01-02`;
    expect((await stranger('GET', path)).statusCode).toBe(404);
  });
});
