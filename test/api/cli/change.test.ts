// tier: postgres
import { expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi, deliveryBody } from '../support.ts';

it('deliveries change takes another text or time, keeps the rest, and sends now', async () => {
  const api = await createTestApi();
  try {
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const member = await createMember(api.database);
    const call = callAs(api.app, member);
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const body = deliveryBody({ scheduled_at: '2999-01-31T07:00:00Z' });
    const { data: made } = (await call('POST', `/apps/${identifier}/deliveries`, body)).json();
    const change = (...args: string[]) =>
      runCliHere(['deliveries', 'change', '--app', identifier, String(made.id), ...args], {
        cwd: import.meta.dirname,
        env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
      });
    expect((await change()).err).toBe(
      'broadside: say what changes: --title, --body, --url, --name, --language, --translations, --at, --now or --expires.\n',
    );
    expect((await change('--now', '--at', '2999-01-31')).err).toContain('contradict each other');
    expect((await change('--at', '2020-01-31T18:00:00Z')).err).toContain('--at must be in the future');
    const { code, out } = await change('--title', 'Good evening', '--at', '2999-01-31T18:00:00Z');
    expect([code, out]).toEqual([
      0,
      `Delivery ${made.id} is changed: scheduled for 2999-01-31T18:00:00+00:00.\n`,
    ]);
    expect((await call('GET', `/apps/${identifier}/deliveries/${made.id}`)).json().data).toMatchObject({
      ...{ title: 'Good evening', body: made.body, changes: 1 },
    });
    expect((await change('--now')).out).toContain(`${made.id}`);
    expect((await change('--now')).err).toContain('does not wait for its time any more');
  } finally {
    await api.close();
  }
});
