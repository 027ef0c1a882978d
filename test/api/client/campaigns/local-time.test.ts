// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instantIn, wallClockIn } from '../../../../engine/campaigns/rules/local-time.ts';
import type { LocalTimePlan } from '../../../../engine/contract/campaign.ts';
import { until } from '../../../support/engine-harness.ts';
import { type CampaignStand, openCampaignStand, words } from './stand.ts';

const HOUR_MS = 3_600_000;
/** East to west: 9, 1, and 5 hours behind UTC in winter. */
const [TOKYO, LONDON, LIMA] = ['Asia/Tokyo', 'Europe/London', 'America/Lima'];
const hourOf = (zone: string): string => {
  const { date, time } = wallClockIn(zone, new Date());
  return `${date}T${time.slice(0, 2)}:00`;
};

describe('a campaign by local time', () => {
  let stand: CampaignStand;
  beforeEach(async () => {
    stand = await openCampaignStand();
    // 30 in each zone, and 10 whose zone is not known: the app's own.
    await stand.subscribe(100);
    await stand.api.database.query(`UPDATE apps SET time_zone = $2 WHERE id = $1`, [stand.appId, LONDON]);
    for (const [index, zone] of [TOKYO, LONDON, LIMA].entries())
      await move(zone, index * 30, index * 30 + 29);
    await stand.api.database.query(`UPDATE subscriptions SET time_zone_changed_at = NULL`);
  });
  afterEach(() => stand.close());

  /** As a beacon of the SDK does. */
  const move = (zone: string, from: number, to: number) =>
    stand.api.database.query(
      `UPDATE subscriptions SET time_zone_id = (SELECT time_zones.id FROM time_zones WHERE name = $2), time_zone_changed_at = now()
       WHERE app_id = $1 AND seq BETWEEN $3 AND $4`,
      [stand.appId, zone, from, to],
    );
  const create = (at: string, rest: object = {}, more: object = {}) =>
    stand.create({
      ...more,
      name: 'Morning',
      notifications: [words('Good morning')],
      plan: { kind: 'local_time', at, ...rest },
    });
  /** Hours go by for the campaign: all that it remembers is that much older. */
  const pass = async (id: number, hours: number): Promise<void> => {
    const ms = hours * HOUR_MS;
    const [row] = await stand.api.database.query<{
      settings: { plan: LocalTimePlan };
      progress: { servedUntil: string };
    }>(`SELECT settings, progress FROM campaigns WHERE id = $1`, [id]);
    const earlier = (iso: string): string => new Date(Date.parse(iso) - ms).toISOString();
    if (row === undefined) throw new Error(`there is no campaign ${id}`);
    const { plan } = row.settings;
    const at = wallClockIn('UTC', new Date(Date.parse(`${plan.at.date}T${plan.at.time}:00Z`) - ms));
    const settings = { ...row.settings, plan: { ...plan, at, createdAt: earlier(plan.createdAt) } };
    const progress = { ...row.progress, servedUntil: earlier(row.progress.servedUntil) };
    await stand.api.database.query(
      `UPDATE campaigns SET settings = $2, progress = $3, next_step_at = next_step_at - make_interval(hours => $4) WHERE id = $1`,
      [id, JSON.stringify(settings), JSON.stringify(progress), hours],
    );
    // Whatever the order of the rows: none takes a name that another one still has.
    await stand.api.database.query(`UPDATE deliveries SET campaign_role = campaign_role || ', ' || id`);
    await stand.api.database.query(
      `UPDATE subscriptions SET time_zone_changed_at = time_zone_changed_at - make_interval(hours => $1)`,
      [hours],
    );
  };
  const seqs = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it('serves each zone when its clocks show the time, and readers without one with the app’s own', async () => {
    const { id } = await create(hourOf(LONDON));
    await stand.startEngine();
    // East of London it is later: they get it at once, with London's.
    await stand.deliveries(id, 1);
    expect([...(await stand.audiences(id)).values()]).toEqual([[...seqs(0, 59), ...seqs(90, 99)]]);
    expect(await stand.read(id)).toMatchObject({ status: 'running', next_step_at: expect.any(String) });
    await pass(id, 7);
    await stand.deliveries(id, 2);
    expect([...(await stand.audiences(id)).values()].at(-1)).toEqual(seqs(60, 89));
    await pass(id, 20);
    await until('it is completed', async () => (await stand.read(id)).status === 'completed');
    // Zones without readers made no delivery.
    expect(await stand.read(id)).toMatchObject({ deliveries: 2, success_count: 100, next_step_at: null });
  });

  it('says when its first and its last readers get it, and not when an engine wakes for the first zone on Earth', async () => {
    const day = new Date(Date.now() + 48 * HOUR_MS).toISOString().slice(0, 10);
    const { id } = await create(`${day}T07:30`);
    const times = [TOKYO, LIMA].map((zone) => instantIn(zone, { date: day, time: '07:30' }));
    const [first, last] = times.map((at) => at.toISOString().replace('.000Z', '+00:00'));
    const shown = { reader_times: { first_at: first, last_at: last } };
    expect(await stand.read(id)).toMatchObject(shown);
    expect((await stand.call('GET', '/campaigns')).json().data[0]).toMatchObject(shown);
    const days = await stand.call('GET', `/calendar?from=${first?.slice(0, 10)}&until=${last?.slice(0, 10)}`);
    expect(days.json().data.entries).toMatchObject([{ id, at: first, until: last, by_reader: true }]);
    // An engine that has come to the first zone has created nothing.
    await stand.startEngine();
    await stand.makeDue(id);
    await until('the step is over', async () => (await stand.read(id)).status === 'running');
    expect(await stand.read(id)).toMatchObject({ deliveries: 0, ...shown });
    const segment = await stand.call('POST', '/segments', {
      name: 'In Lima',
      rules: { match: 'all', conditions: [{ field: 'time_zone', operator: 'in', values: [LIMA] }] },
    });
    expect(segment.statusCode, segment.body).toBe(201);
    const some = await create(`${day}T07:30`, {}, { segment_id: segment.json().data.id });
    expect(await stand.read(some.id)).toMatchObject({ reader_times: { first_at: last, last_at: last } });
    await stand.call('POST', `/campaigns/${id}/cancel`);
    expect(await stand.read(id)).toMatchObject({ reader_times: null });
  });

  it('says nothing of them where they cannot be counted in time, and does not count again with each visit', async () => {
    const day = new Date(Date.now() + 48 * HOUR_MS).toISOString().slice(0, 10);
    const { id } = await create(`${day}T07:30`);
    await stand.api.database.transaction(async (sql) => {
      await sql.query('LOCK TABLE subscriptions');
      expect(await stand.read(id)).toMatchObject({ reader_times: null });
    });
    const [kept] = await stand.api.database.query(`SELECT answer FROM analytics_cache WHERE app_id = $1`, [
      stand.appId,
    ]);
    expect(kept).toEqual({ answer: { zones: null } });
    expect(await stand.read(id)).toMatchObject({ reader_times: null });
  });

  it('leaves out readers for whom it is later already, if it is to', async () => {
    const soon = wallClockIn(LIMA, new Date(Date.now() + HOUR_MS));
    const { id } = await create(`${soon.date}T${soon.time.slice(0, 2)}:00`, { if_passed: 'skip' });
    await stand.startEngine();
    await stand.api.database.query(
      `UPDATE campaigns SET progress = jsonb_build_object('servedUntil', to_jsonb(now() - interval '1 hour'))`,
    );
    await pass(id, 3);
    await stand.makeDue(id);
    await stand.deliveries(id, 1);
    expect([...(await stand.audiences(id)).values()]).toEqual([seqs(60, 89)]);
  });

  it('serves a reader who travels once, whichever way', async () => {
    const { id } = await create(hourOf(LONDON));
    const engine = await stand.startEngine();
    await stand.deliveries(id, 1);
    // Served in Tokyo, then in a zone that is to come; and from that zone to one that was served.
    await move(LIMA, 0, 9);
    await move(TOKYO, 60, 69);
    await pass(id, 7);
    await stand.deliveries(id, 2);
    const [first, second] = [...(await stand.audiences(id)).values()];
    expect(first).toEqual([...seqs(0, 59), ...seqs(90, 99)]);
    expect(second).toEqual(seqs(60, 89));
    expect(engine.endings.every(({ kind }) => kind === 'settled')).toBe(true);
    expect((await stand.read(id)).success_count).toBe(100);
  });

  it('serves in one delivery what an outage made late', async () => {
    const { id } = await create(hourOf(TOKYO));
    await stand.api.database.query(
      `UPDATE campaigns SET settings = jsonb_set(settings, '{plan,at}', $2) WHERE id = $1`,
      [id, JSON.stringify(wallClockIn(LIMA, new Date(Date.now() - HOUR_MS)))],
    );
    await stand.startEngine();
    await stand.deliveries(id, 1);
    expect([...(await stand.audiences(id)).values()]).toEqual([seqs(0, 99)]);
  });

  it('previews its deliveries with their readers', async () => {
    const at = hourOf(LIMA);
    const answer = await stand.call('POST', '/campaigns/preview', { plan: { kind: 'local_time', at } });
    const { readers, steps } = answer.json().data;
    expect(readers).toBe(100);
    const last = steps.at(-1);
    expect(steps.reduce((sum: number, step: { readers: number }) => sum + step.readers, 0)).toBe(100);
    expect(last.time_zones).toContain(LIMA);
  });

  it('refuses a time that has passed everywhere', async () => {
    const refused = await stand.call('POST', '/campaigns', {
      name: 'Late',
      notifications: [words('Late')],
      plan: { kind: 'local_time', at: '2026-01-01T08:00' },
    });
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      { 'plan.at': ['The plan.at field must be a time that has not passed everywhere.'] },
    ]);
  });
});
