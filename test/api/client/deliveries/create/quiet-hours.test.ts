// tier: postgres
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveryWayOf } from '../../../../../api/client/deliveries/create/quiet-hours.ts';
import { wallClockIn } from '../../../../../engine/campaigns/rules/local-time.ts';
import { stepOfZones } from '../../../../../engine/campaigns/rules/zoned.ts';
import { appBody } from '../../../support.ts';
import { openCampaignStand } from '../../campaigns/stand.ts';

const HOUR_MS = 3_600_000;
const ASLEEP = 'Asia/Tokyo';
const AWAKE = 'America/New_York';

/** Quiet hours that hold now in one zone, for at least an hour and at most two, and not in the other. */
function hoursNow(): { readonly from: string; readonly to: string } {
  const hour = Number(wallClockIn(ASLEEP, new Date()).time.slice(0, 2));
  const clock = (hours: number): string => `${String((hours + 24) % 24).padStart(2, '0')}:00`;
  return { from: clock(hour - 1), to: clock(hour + 2) };
}

describe('quiet hours', async () => {
  const sleepers: number[] = [];
  const wakers: number[] = [];
  const stand = await openCampaignStand();
  await stand.subscribe(20);
  const rows = await stand.api.database.query<{ seq: number; name: string }>(
    `UPDATE subscriptions SET time_zone_id = time_zones.id FROM time_zones
       WHERE app_id = $1 AND name = CASE WHEN seq % 2 = 0 THEN $2 ELSE $3 END RETURNING seq, name`,
    [stand.appId, ASLEEP, AWAKE],
  );
  for (const { seq, name } of rows) (name === ASLEEP ? sleepers : wakers).push(seq);
  for (const seqs of [sleepers, wakers]) seqs.sort((a, b) => a - b);
  await stand.startEngine();
  afterAll(() => stand.close());
  beforeEach(() => setHours({ ...hoursNow(), time_zone: 'reader' }));

  const app = (changes: object) => stand.call('PATCH', '', { ...appBody(), ...changes });
  const setHours = async (hours: object | null, zone = 'UTC') => {
    const answer = await app({ quiet_hours: hours, time_zone: zone });
    expect([answer.statusCode, answer.json().errors]).toEqual([200, undefined]);
  };
  const send = (rest: object = {}) =>
    stand.call('POST', '/deliveries', {
      ...{ name: 'Storm', title: 'Storm', body: 'Text', url: 'https://news.example.com/1' },
      ...rest,
    });
  const sent = async (rest: object = {}) => {
    const answer = await send(rest);
    expect([answer.statusCode, answer.json().errors]).toEqual([201, undefined]);
    return answer.json().data as {
      readonly id: number;
      readonly campaign_id: number;
      readonly scheduled_at: string | null;
      readonly status: string;
    };
  };
  const refusal = async (rest: object) => (await send(rest)).json().errors as Record<string, string[]>;
  const audienceOf = async (id: number) => [...(await stand.audiences(id)).values()];

  it('let a bulk delivery reach who is awake at once, and the others when they wake, each once', async () => {
    const { campaign_id: id } = await sent();
    await stand.deliveries(id, 1);
    expect(await audienceOf(id)).toEqual([wakers]);
    expect(await stand.read(id)).toMatchObject({ kind: 'quiet_hours', status: 'running' });
    // As if it had been sent a day ago.
    await stand.api.database.query(
      `UPDATE campaigns SET
         settings = jsonb_set(settings, '{plan,at}', to_jsonb((settings #>> '{plan,at}')::timestamptz - interval '1 day')),
         progress = jsonb_set(progress, '{servedUntil}', to_jsonb((progress ->> 'servedUntil')::timestamptz - interval '1 day'))
       WHERE id = $1`,
      [id],
    );
    await stand.makeDue(id);
    await stand.deliveries(id, 2);
    expect(await audienceOf(id)).toEqual([wakers, sleepers]);
  });

  it('let a delivery drop who is in them, or pass them, which is audited', async () => {
    const dropped = await sent({ during_quiet_hours: 'drop' });
    await stand.deliveries(dropped.campaign_id, 1);
    expect(await audienceOf(dropped.campaign_id)).toEqual([wakers]);
    expect(await stand.read(dropped.campaign_id)).toMatchObject({ status: 'completed', next_step_at: null });
    const passed = [
      await sent({ during_quiet_hours: 'send' }),
      await sent({ lane: 'breaking' }),
      await sent({ lane: 'breaking', during_quiet_hours: 'drop' }),
    ];
    expect(passed.map(({ campaign_id: id }) => id)).toEqual([null, null, null]);
    const noted = await stand.api.database.query<{ subject_id: string; detail: object }>(
      `SELECT subject_id, detail FROM audit_log WHERE action = 'delivery.passed-quiet-hours' ORDER BY id`,
    );
    expect(noted.map((row) => Number(row.subject_id))).toEqual(passed.map(({ id }) => id));
    expect(noted[1]?.detail).toEqual({ name: 'Storm', lane: 'breaking' });
  });

  it('keep a message from nobody who wakes before it expires, and from everyone who wakes after', async () => {
    const soon = new Date(Date.now() + HOUR_MS / 2).toISOString();
    const { campaign_id: id } = await sent({ expires_at: soon });
    // Some zones may wake before.
    const next = (await stand.read(id)).next_step_at;
    expect(next === null || next < soon, String(next)).toBe(true);
    const late = new Date(Date.now() + 40 * HOUR_MS).toISOString();
    const waiting = await sent({ expires_at: late });
    expect(await stand.read(waiting.campaign_id)).toMatchObject({ status: 'running' });
  });

  it('end for those who wait when the delivery is cancelled, or the campaign', async () => {
    const later = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    const { id, campaign_id: campaign } = await sent({ scheduled_at: later });
    const cancelled = await stand.call('POST', `/deliveries/${id}/cancel`);
    expect(cancelled.statusCode).toBe(200);
    expect(await stand.read(campaign)).toMatchObject({ status: 'cancelled', next_step_at: null });
    const other = await sent({ scheduled_at: later });
    expect((await stand.call('POST', `/campaigns/${other.campaign_id}/cancel`)).statusCode).toBe(200);
    const read = (await stand.call('GET', `/deliveries/${other.id}`)).json().data;
    expect(read.status).toBe('cancelled');
  });

  it('by the app’s clock move the whole delivery to their end', async () => {
    await setHours({ ...hoursNow(), time_zone: 'app' }, ASLEEP);
    const waiting = await sent();
    expect(waiting).toMatchObject({ campaign_id: null, status: 'scheduled' });
    const startsAt = new Date(waiting.scheduled_at ?? 0);
    expect(wallClockIn(ASLEEP, startsAt).time).toBe(hoursNow().to);
    const soon = new Date(Date.now() + HOUR_MS / 2).toISOString();
    expect(await refusal({ during_quiet_hours: 'drop' })).toEqual({
      during_quiet_hours: [
        expect.stringContaining('It would reach nobody: the app’s quiet hours last until 20'),
      ],
    });
    expect(await refusal({ expires_at: soon })).toEqual({
      during_quiet_hours: [expect.stringContaining('would expire before')],
    });
    await setHours({ ...hoursNow(), time_zone: 'app' }, AWAKE);
    expect(await sent()).toMatchObject({ campaign_id: null, scheduled_at: null });
  });

  it('hold back a firing in one zone for those who are in them, and let tests pass', async () => {
    const notification = { title: 'Briefing', body: 'Text', url: 'https://news.example.com/1' };
    const recurring = (during_quiet_hours: string) =>
      stand.create({
        ...{ name: 'Briefing', notifications: [notification], during_quiet_hours },
        plan: { kind: 'recurring', schedule: '0 7 * * *', time_zone: 'UTC' },
      });
    const fire = async (during: string) => {
      const { id } = await recurring(during);
      await stand.api.database.query(
        `UPDATE campaigns SET progress = jsonb_build_object('firing', to_jsonb(now())) WHERE id = $1`,
        [id],
      );
      await stand.makeDue(id);
      return id;
    };
    const waiting = await fire('wait');
    const children = async () => (await stand.call('GET', `/campaigns?parent_id=${waiting}`)).json().data;
    await expect
      .poll(children)
      .toMatchObject([
        { kind: 'quiet_hours', name: expect.stringMatching(/^Briefing · 20\d\d-\d\d-\d\d \d\d:\d\d UTC$/) },
      ]);
    const [{ id }] = await children();
    await stand.deliveries(id, 1);
    expect(await audienceOf(id)).toEqual([wakers]);
    const passing = await fire('send');
    const [all] = await stand.deliveries(passing, 1);
    expect(all?.success_count).toBe(20);
    const test = await stand.create({
      ...{ name: 'Test', notifications: [notification, notification] },
      plan: { kind: 'ab_test', test_percent: 100, decide_by: 'never' },
    });
    const variants = await stand.deliveries(test.id, 2);
    expect(variants.reduce((sum, { success_count }) => sum + success_count, 0)).toBe(20);
  });

  it('end with a correction: who slept gets nothing, and who got the first one gets the right one', async () => {
    const { id, campaign_id: campaign } = await sent();
    await stand.deliveries(campaign, 1);
    const answer = await stand.call('POST', `/deliveries/${id}/correction`, {
      ...{ title: 'No storm', body: 'The first one was wrong', url: 'https://news.example.com/1' },
    });
    expect([answer.statusCode, answer.json().errors]).toEqual([201, undefined]);
    expect(await stand.read(campaign)).toMatchObject({ status: 'cancelled', next_step_at: null });
    const correction = answer.json().data.id;
    const read = async () => (await stand.call('GET', `/deliveries/${correction}`)).json().data;
    await expect.poll(async () => (await read()).status).toBe('success');
    expect(await read()).toMatchObject({ total_subscribers: wakers.length, success_count: wakers.length });
  });

  it('change nothing where the app has none', async () => {
    await setHours(null);
    const before = await stand.api.database.query('SELECT count(*) FROM campaigns');
    expect(await sent({ during_quiet_hours: 'drop' })).toMatchObject({
      campaign_id: null,
      scheduled_at: null,
    });
    expect(await stand.api.database.query('SELECT count(*) FROM campaigns')).toEqual(before);
  });

  it('are two times of a day, and are shown as they were set', async () => {
    const wrong = async (hours: object) => (await app({ quiet_hours: hours })).json().errors;
    expect(await wrong({ from: '22:00', to: '22:00' })).toEqual({
      quiet_hours: ['The quiet_hours field must not end at the time they begin.'],
    });
    expect(Object.keys(await wrong({ from: '24:00', to: '7:00' }))).toEqual([
      'quiet_hours.from',
      'quiet_hours.to',
    ]);
    const { data } = (await app({ quiet_hours: { from: '22:00', to: '07:00' } })).json();
    expect(data.quiet_hours).toEqual({ from: '22:00', to: '07:00', time_zone: 'reader' });
  });
});

it('a night in which clocks change ends when the reader’s clock says so', () => {
  // On 2027-03-28 clocks in Berlin skip from 02:00 to 03:00; 22:00 UTC the day before is 23:00 there.
  const at = new Date('2027-03-27T22:00:00Z');
  const app = { quiet_hours: { from: '22:30', to: '07:00', time_zone: 'reader' as const }, time_zone: 'UTC' };
  const way = deliveryWayOf(app, { lane: 'bulk', scheduledAt: at, expiresAt: null }, 'wait', at);
  if (way.kind !== 'by-reader') throw new Error('nobody sleeps');
  const berlin = (now: string) =>
    stepOfZones({ id: 1, now: new Date(now), progress: { servedUntil: at.toISOString() } }, way.plan).part;
  const has = (part: ReturnType<typeof berlin>) =>
    part?.kind === 'zones' && part.zones.includes('Europe/Berlin');
  expect([has(berlin('2027-03-28T04:59:00Z')), has(berlin('2027-03-28T05:00:00Z'))]).toEqual([false, true]);
});
