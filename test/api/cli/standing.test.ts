// tier: postgres
import { describe, expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { buildLimit } from '../../support/standings.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { appBody, callAs, createMember, openTestApi } from '../support.ts';

describe('apps standing', async () => {
  const api = await openTestApi();
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const member = await createMember(api.database);
  const { identifier } = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data;
  const appId = await appIdOf(api.database, identifier);
  await insertSubscriptions(api.database, appId, [{ browser_name: 'Firefox' }]);
  await api.database.query(`INSERT INTO permission_days VALUES ($1, current_date, 8, 2)`, [appId]);
  await api.database.query(`INSERT INTO site_time_days VALUES ($1, current_date, 7200)`, [appId]);
  await buildLimit(api.database, appId, { probableHours: 24 });
  const env = { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token };
  const run = (...args: string[]) => runCliHere(['apps', 'standing', identifier, ...args], { cwd: '/', env });

  it('says who limits the app, and what its readers get', async () => {
    const { code, out, err } = await run();
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^fcm +limited +20\S+ +1,000 +20\S+$/m);
    expect(out).toMatch(/^mozilla +normal/m);
    expect(out).toMatch(/^Firefox +1 +0 +0$/m);
    expect(out).toContain('The guard is off.');
    expect(out).toContain('took it away in 90 days: from 8 readers, 2 won back (25%).');
    expect(out).toMatch(/^20\S+ +2 +0 +0 +0 +0$/m);
  });

  it('gives a program the same as JSON', async () => {
    const { out } = await run('--json');
    expect(JSON.parse(out)).toMatchObject({
      push_services: [{ push_service: 'fcm', standing: 'limited' }, {}, {}, {}],
      readers: { revocation: { subscribers: 1, near: 0 } },
    });
  });
});
