// tier: postgres

import { describe, expect, it } from 'vitest';
import { forecastOf } from '../../../../../api/client/deliveries/progress/forecast.ts';
import { sampleProgress } from '../../../../../engine/adapters/postgres/deliveries/progress-store.ts';
import { buildDelivery } from '../../../../support/builders.ts';
import { appIdOf } from '../../../../support/subscriptions.ts';
import { appBody, openWithMember } from '../../../support.ts';

const now = Date.UTC(2026, 0, 31, 12);
const running = {
  total_subscribers: 100_000,
  success_count: 9_000,
  failed_count: 800,
  capped_subscribers: 200,
  rate_per_minute: null,
  started_at: new Date(now - 600_000),
};

describe('a forecast', () => {
  it('takes the rate since the sample on to the end', () => {
    expect(forecastOf(running, { ended: 4_000, ageSeconds: 30 }, [], now)).toEqual({
      rate_per_minute: 12_000,
      seconds_left: 450,
      estimated_completion_at: '2026-01-31T12:07:30+00:00',
      limits: [],
    });
  });

  it('counts from the start where there is no sample, and is null before there is a measurement', () => {
    const young = { ...running, started_at: new Date(now - 10_000) };
    expect(forecastOf(young, null, [], now)).toMatchObject({ rate_per_minute: 60_000, seconds_left: 90 });
    expect(forecastOf({ ...running, started_at: new Date(now - 1_000) }, null, [], now)).toBeNull();
    expect(forecastOf(running, { ended: 4_000, ageSeconds: 0.5 }, [], now)).toBeNull();
  });

  it('names no time while nothing moves, and no past one when more came than was planned', () => {
    expect(forecastOf(running, { ended: 10_000, ageSeconds: 30 }, [], now)).toEqual({
      rate_per_minute: 0,
      seconds_left: null,
      estimated_completion_at: null,
      limits: [],
    });
    const over = { ...running, total_subscribers: 9_000 };
    expect(forecastOf(over, { ended: 0, ageSeconds: 30 }, [], now)?.seconds_left).toBe(0);
  });

  it('goes no faster than the pace, and trusts a slow pace more than half a minute', () => {
    const sample = { ended: 4_000, ageSeconds: 30 };
    expect(forecastOf({ ...running, rate_per_minute: 9_000 }, sample, [], now)?.rate_per_minute).toBe(9_000);
    expect(forecastOf({ ...running, rate_per_minute: 50_000 }, sample, [], now)?.rate_per_minute).toBe(
      12_000,
    );
    const slow = { ...running, rate_per_minute: 600 };
    expect(forecastOf(slow, { ended: 10_000, ageSeconds: 30 }, [], now)).toMatchObject({
      rate_per_minute: 600,
      seconds_left: 9_000,
    });
  });
});

describe('the forecast of a delivery', async () => {
  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const path = `/apps/${identifier}/deliveries`;
  const appId = await appIdOf(api.database, identifier);
  const id = await buildDelivery(api.database, appId, { status: 'processing' });
  await api.database.query(
    `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, accepted_count)
       SELECT $1, $2, number, ARRAY[number], 1000, 500 FROM generate_series(1, 4) AS number`,
    [id, appId],
  );
  await api.database.query(
    `UPDATE deliveries SET started_at = now(), total_subscribers = 4000 WHERE id = $1`,
    [id],
  );

  const forecast = async () => (await call('GET', `${path}/${id}`)).json().data.forecast;
  const age = (seconds: number) =>
    api.database.query(`UPDATE progress_samples SET at = at - make_interval(secs => $1)`, [seconds]);
  const samples = () => api.database.query('SELECT ended FROM progress_samples ORDER BY at');

  it('is null until there is an estimate, and when the delivery has ended', async () => {
    expect(await forecast()).toBeNull();
    await api.database.query(`UPDATE deliveries SET status = 'success' WHERE id = $1`, [id]);
    await sampleProgress(api.database);
    expect(await samples()).toEqual([]);
    await api.database.query(`UPDATE deliveries SET status = 'processing' WHERE id = $1`, [id]);
  });

  it('comes from samples that any number of engines may take: one of them does', async () => {
    await api.database.transaction(async (sql) => {
      await sampleProgress(sql);
      // Another engine, before the first engine's sample is visible.
      await sampleProgress(api.database);
    });
    await sampleProgress(api.database);
    expect(await samples()).toEqual([{ ended: 2_000 }]);
    await age(20);
    await api.database.query('UPDATE shards SET accepted_count = 750 WHERE delivery_id = $1', [id]);
    await sampleProgress(api.database);
    expect(await samples()).toEqual([{ ended: 2_000 }, { ended: 3_000 }]);
    const { rate_per_minute: rate, seconds_left: left, estimated_completion_at: end } = await forecast();
    // Twenty seconds, and the time a busy machine took since: a slightly lower rate.
    expect(rate).toBeGreaterThan(2_000);
    expect(rate).toBeLessThanOrEqual(3_000);
    expect(left).toBeCloseTo((60 * 1_000) / rate, -1);
    expect(Date.parse(end)).toBeGreaterThan(Date.now());
  });

  it('keeps no sample for long', async () => {
    await age(60);
    await sampleProgress(api.database);
    expect(await samples()).toEqual([{ ended: 3_000 }]);
  });
});
