// tier: postgres
import { describe, expect, it } from 'vitest';
import { appBody, callAs, createMember, openTestApi } from '../support.ts';

/** Every kind of route below an app; the ones that change it find it again, under its lock. */
const routes = [
  ['GET', ''],
  ['GET', '/deliveries'],
  ['GET', '/deliveries/1'],
  ['GET', '/deliveries/1/progress'],
  ['POST', '/deliveries/1/cancel'],
  ['GET', '/deliveries/1/subscriptions/1'],
  ['GET', '/subscriptions'],
  ['GET', '/subscriptions/1'],
  ['GET', '/subscriptions/1/same-person'],
  ['DELETE', '/subscriptions/1'],
  ['GET', '/segments'],
  ['GET', '/segments/1'],
  ['DELETE', '/segments/1'],
  ['GET', '/delivery-categories'],
  ['GET', '/delivery-categories/1'],
  ['DELETE', '/delivery-categories/1'],
  ['GET', '/analytics/overview'],
  ['GET', '/analytics/subscribers'],
  ['GET', '/analytics/revenue'],
  ['GET', '/analytics/revenue/deliveries'],
  ['GET', '/vapid-keys'],
] as const;

describe('a route below an app', async () => {
  const api = await openTestApi();
  const owner = callAs(api.app, await createMember(api.database));
  const stranger = callAs(api.app, await createMember(api.database));
  const identifier = (await owner('POST', '/apps', appBody())).json().data.identifier;

  it.each(routes)(
    'answers alike for another organization’s app and for none: %s %s',
    async (method, path) => {
      const foreign = await stranger(method, `/apps/${identifier}${path}`);
      const none = await stranger(method, `/apps/no-such-app${path}`);
      expect([foreign.statusCode, foreign.json()]).toEqual([404, { message: 'Not found.' }]);
      expect([none.statusCode, none.json()]).toEqual([404, { message: 'Not found.' }]);
    },
  );

  it('is looked up before the body is read: what a stranger sends is parsed for nobody, and reveals nothing of the app', async () => {
    const answers = await Promise.all([
      owner('POST', `/apps/${identifier}/segments`, {}),
      stranger('POST', `/apps/${identifier}/segments`, {}),
      stranger('POST', `/apps/no-such-app/segments`, {}),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 404, 404]);
    expect(answers[1]?.json()).toEqual(answers[2]?.json());
  });

  it('serves its owner', async () => {
    expect((await owner('GET', `/apps/${identifier}/deliveries`)).statusCode).toBe(200);
  });
});
