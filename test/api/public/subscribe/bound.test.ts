// tier: postgres
import { describe, expect, it } from 'vitest';
import { createSite } from '../../../support/site.ts';
import { openTestApi } from '../../support.ts';

const config = { newSubscriptionsPerHour: 3, trustedProxies: ['127.0.0.1'] };
const api = await openTestApi({ config });

describe('new subscriptions of an app from one address', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('are bounded: one more gets a Retry-After, and is not stored', async () => {
    const site = await createSite(api.app, api.database);
    const bodies = Array.from({ length: 4 }, () => site.subscribeBody());
    const answers = [];
    for (const body of bodies) answers.push(await site.post('subscribe', body, from('198.51.100.7')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
    const wait = Number(answers[3]?.headers['retry-after']);
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThanOrEqual(3_600);
    expect(await site.rows()).toHaveLength(3);
    const { counted, real } = await site.books();
    expect(counted).toEqual(real);
  });

  it('count neither browsers that come back, nor other addresses, nor other apps', async () => {
    const [site, other] = [await createSite(api.app, api.database), await createSite(api.app, api.database)];
    const bodies = Array.from({ length: 3 }, () => site.subscribeBody());
    const send = async (body: object, address = '198.51.100.8', to = site) =>
      (await to.post('subscribe', body, from(address))).statusCode;
    for (let n = 0; n < 3; n++) for (const body of bodies) expect(await send(body)).toBe(200);
    expect(await send(site.subscribeBody())).toBe(429);
    expect(await send(site.subscribeBody(), '198.51.100.9')).toBe(200);
    expect(await send(other.subscribeBody(), '198.51.100.8', other)).toBe(200);
  });

  it('are admitted again after an hour', async () => {
    const site = await createSite(api.app, api.database);
    const send = async () =>
      (await site.post('subscribe', site.subscribeBody(), from('198.51.100.10'))).statusCode;
    for (const status of [200, 200, 200, 429]) expect(await send()).toBe(status);
    await api.database.query(`UPDATE new_subscriptions SET since = since - interval '1 hour'`);
    expect(await send()).toBe(200);
  });

  it('of one batch are stored up to the bound, whatever else is in it', async () => {
    const site = await createSite(api.app, api.database);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        site.post('subscribe', site.subscribeBody(), from(n % 2 === 0 ? '198.51.100.11' : `203.0.113.${n}`)),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(13);
    expect(await site.rows()).toHaveLength(13);
  });
});
