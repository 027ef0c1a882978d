// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CountClicked } from '../../../../engine/campaigns/ports.ts';
import { toId } from '../../../../engine/contract/ids.ts';
import { until } from '../../../support/engine-harness.ts';
import { type CampaignStand, openCampaignStand, words } from './stand.ts';

const READERS = 2_100;
const body = (plan: object = {}, titles = ['One', 'Two']) => ({
  name: 'Storm',
  notifications: titles.map(words),
  plan: { kind: 'ab_test', test_percent: 50, decide_after_minutes: 15, ...plan },
});

describe('a test of variants', () => {
  let stand: CampaignStand;
  /** By the title of the delivery, of a thousand accepted. */
  let perMille: Record<string, number>;
  let clicksAway: boolean;
  const countClicked: CountClicked = async (_, id) => {
    if (clicksAway) throw new Error('ClickHouse is away');
    const [row] = await stand.api.database.query<{ title: string; success_count: number }>(
      `SELECT title, success_count FROM deliveries WHERE id = $1`,
      [id],
    );
    return Math.round(((row?.success_count ?? 0) * (perMille[row?.title ?? ''] ?? 0)) / 1_000);
  };
  beforeEach(async () => {
    stand = await openCampaignStand();
    await stand.subscribe(READERS);
    perMille = { One: 40, Two: 160 };
    clicksAway = false;
  });
  afterEach(() => stand.close());

  it('goes to even parts of its share, and its winner to everybody else: each reader once', async () => {
    const { id, status } = await stand.create(body());
    expect(status).toBe('scheduled');
    await Promise.all([
      stand.startEngine({ countClicked }),
      stand.startEngine({ countClicked, owner: 'second' }),
    ]);
    await stand.deliveries(id, 2);
    expect(await stand.read(id)).toMatchObject({
      status: 'running',
      decision: null,
      deliveries: 2,
      next_step_at: expect.any(String),
    });
    await stand.makeDue(id);
    const [one, two, rest] = await stand.deliveries(id, 3);
    expect([one, two, rest].map((each) => [each?.campaign_role, each?.title])).toEqual([
      ['variant-1', 'One'],
      ['variant-2', 'Two'],
      ['winner', 'Two'],
    ]);
    const counts = [one, two, rest].map((each) => each?.success_count ?? 0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(READERS);
    // A quarter of 2,100, with a standard deviation of 20.
    for (const count of counts.slice(0, 2)) expect(Math.abs(count - READERS / 4)).toBeLessThan(100);
    const audiences = await stand.audiences(id);
    expect(new Set([...audiences.values()].flat()).size).toBe(READERS);
    expect(await stand.read(id)).toMatchObject({
      status: 'completed',
      next_step_at: null,
      success_count: READERS,
      decision: { by: 'clicks', winner: 2, sent: 2, reason: 'decided' },
    });
  });

  it.each([
    ['too-close', { One: 100, Two: 101 }],
    ['too-few', { One: 0, Two: 300 }],
  ])('has no winner where it is %s, and sends the fallback', async (reason, clicks) => {
    perMille = clicks;
    if (reason === 'too-few') {
      await stand.api.database.query(
        `UPDATE subscriptions SET status = 'unsubscribed' WHERE app_id = $1 AND seq > 150`,
        [stand.appId],
      );
    }
    const { id } = await stand.create(body({ fallback: 2 }));
    await stand.startEngine({ countClicked });
    await stand.deliveries(id, 2);
    await stand.makeDue(id);
    expect((await stand.deliveries(id, 3)).at(-1)).toMatchObject({ campaign_role: 'winner', title: 'Two' });
    expect(await stand.read(id)).toMatchObject({ decision: { winner: null, sent: 2, reason } });
  });

  it('waits for clicks that cannot be read, and sends the fallback after an hour', async () => {
    const { id } = await stand.create(body());
    clicksAway = true;
    await stand.startEngine({ countClicked });
    await stand.deliveries(id, 2);
    await stand.makeDue(id);
    await until('it is tried again later', async () => (await stand.read(id)).error_message !== null);
    expect(await stand.read(id)).toMatchObject({ status: 'running', deliveries: 2 });
    await stand.api.database.query(
      `UPDATE campaigns SET next_step_at = now() - interval '61 minutes', retry_at = NULL WHERE id = $1`,
      [id],
    );
    expect((await stand.deliveries(id, 3)).at(-1)).toMatchObject({ campaign_role: 'winner', title: 'One' });
    expect(await stand.read(id)).toMatchObject({
      error_message: null,
      decision: { winner: null, sent: 1, reason: 'clicks-unknown' },
    });
  });

  it('is decided by hand, once, and not before it has started', async () => {
    const { id } = await stand.create(body({ decide_by: 'hand' }));
    const name = (variant: number) => stand.call('POST', `/campaigns/${id}/winner`, { variant });
    expect((await name(2)).json().errors).toEqual({ status: ['The test has not started yet.'] });
    await stand.startEngine({ countClicked });
    await stand.deliveries(id, 2);
    expect(await stand.read(id)).toMatchObject({ status: 'deciding', next_step_at: null });
    expect((await name(3)).json().errors).toEqual({
      variant: ['The variant field must not be more than 2.'],
    });
    const answers = await Promise.all([name(1), name(2)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
    const winner = answers[0]?.statusCode === 200 ? 1 : 2;
    expect((await stand.deliveries(id, 3)).at(-1)).toMatchObject({ title: winner === 1 ? 'One' : 'Two' });
    expect(await stand.read(id)).toMatchObject({
      status: 'completed',
      decision: { by: 'hand', winner, reason: 'by-hand' },
    });
    expect((await name(1)).json().errors).toEqual({ status: ['The test is already decided.'] });
  });

  it('is decided by hand before its time, and not again at its time', async () => {
    const { id } = await stand.create(body());
    await stand.startEngine({ countClicked });
    await stand.deliveries(id, 2);
    expect((await stand.call('POST', `/campaigns/${id}/winner`, { variant: 1 })).statusCode).toBe(200);
    expect((await stand.deliveries(id, 3)).at(-1)).toMatchObject({ campaign_role: 'winner', title: 'One' });
    expect((await stand.read(id)).next_step_at).toBeNull();
  });

  it('ends with its variants where nobody decides, or nobody is left', async () => {
    const never = await stand.create(body({ decide_by: 'never' }));
    const all = await stand.create(body({ test_percent: 100 }, ['One', 'Two', 'Three']));
    await stand.startEngine({ countClicked });
    await stand.deliveries(never.id, 2);
    expect(await stand.read(never.id)).toMatchObject({ status: 'completed', next_step_at: null });
    const variants = await stand.deliveries(all.id, 3);
    expect(variants.reduce((sum, { success_count }) => sum + success_count, 0)).toBe(READERS);
    await stand.makeDue(all.id);
    await until('it is decided', async () => (await stand.read(all.id)).status === 'completed');
    expect(await stand.read(all.id)).toMatchObject({ deliveries: 3, decision: { winner: 2 } });
  });

  it('shows how its variants do, with intervals, and not before there is anything to compare', async () => {
    const { id } = await stand.create(body());
    expect((await stand.read(id)).variants).toBeNull();
    await stand.startEngine({ countClicked });
    const [one, two] = await stand.deliveries(id, 2);
    const early = { interval: null, probability_best: null };
    const noClicks = await stand.read(id);
    expect(noClicks).toMatchObject({ variants: [early, early], difference: null });
    await stand.api.database.query(`UPDATE deliveries SET success_count = 37 WHERE id = $1`, [one?.id]);
    stand.api.analytics.clicks.set(toId(two?.id), 80);
    expect(await stand.read(id)).toMatchObject({
      variants: [
        { ...early, accepted: 37, accepted_missing: 63 },
        { ...early, accepted_missing: 0 },
      ],
      difference: null,
    });
    await stand.api.database.query(`UPDATE deliveries SET success_count = $2 WHERE id = $1`, [
      one?.id,
      one?.success_count,
    ]);
    stand.api.analytics.clicks.set(toId(one?.id), 20);
    const { variants, difference, click_count } = await stand.read(id);
    expect(variants).not.toMatchObject([{ interval: null }, {}]);
    expect(click_count).toBe(100);
    expect(variants).toMatchObject([
      { number: 1, delivery_id: one?.id, clicked: 20 },
      { number: 2, delivery_id: two?.id, clicked: 80, probability_best: 100 },
    ]);
    expect(difference).toEqual({ low: expect.any(Number), high: expect.any(Number) });
  });
});
