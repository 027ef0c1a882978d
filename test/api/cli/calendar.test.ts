// tier: postgres
import { expect, it, onTestFinished } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi, deliveryBody } from '../support.ts';

it('calendar prints what is sent and what is to come, day by day, within 80 columns', async () => {
  const api = await createTestApi();
  onTestFinished(() => api.close());
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const member = await createMember(api.database);
  const call = callAs(api.app, member);
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const run = (...args: string[]) =>
    runCliHere(['calendar', '--app', identifier, ...args], {
      cwd: import.meta.dirname,
      env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token, TZ: 'UTC' },
    });
  expect((await run()).out).toBe('Nothing is sent, scheduled or expected in these days.\n');
  const path = `/apps/${identifier}/deliveries`;
  const name = `A name that is so long that it does not fit into the line of an agenda`;
  const now = (await call('POST', path, deliveryBody({ name }))).json().data;
  const later = (
    await call('POST', path, deliveryBody({ name: 'Later', scheduled_at: '2999-01-31T18:00:00Z' }))
  ).json().data;
  const { out } = await run();
  expect(out).toMatch(
    new RegExp(`^\\w{3},? \\d+ \\w+ \\d{4}\n  \\d\\d:\\d\\d  A name.*…  delivery ${now.id}: pending, 0\n$`),
  );
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect((await run('--from', '2999-01-31')).out).toMatch(
    new RegExp(`Later +delivery ${later.id}: scheduled`),
  );
  const json = JSON.parse((await run('--from', '2999-01-01', '--month', '--json')).out);
  expect(json.entries).toMatchObject([{ id: later.id, movable: true }]);
  expect((await run('--from', '2026-02-30')).err).toContain('must be a date');
  expect((await run('--week', '--month')).err).toContain('contradict each other');
});
