// tier: postgres
import { expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi, deliveryBody } from '../support.ts';

it('deliveries correct keeps what is not said anew, and says what to follow', async () => {
  const api = await createTestApi();
  try {
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const member = await createMember(api.database);
    const call = callAs(api.app, member);
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const buttons = [{ title: 'Live', url: 'https://news.example.com/live' }];
    const body = deliveryBody({ action_buttons: buttons });
    const { data: wrong } = (await call('POST', `/apps/${identifier}/deliveries`, body)).json();
    const correct = (...args: string[]) =>
      runCliHere(['deliveries', 'correct', '--app', identifier, String(wrong.id), ...args], {
        cwd: import.meta.dirname,
        env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
      });
    expect((await correct()).err).toBe('broadside: say what changes: --title, --body or --url.\n');
    const early = await correct('--title', 'The ferries sail');
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('sent to nobody yet')]);
    await api.database.query(`UPDATE deliveries SET status = 'success', started_at = now()`);
    const { code, out, err } = await correct('--title', 'The ferries sail');
    expect([code, err]).toEqual([0, '']);
    const id = wrong.id + 1;
    expect(out).toBe(
      `Delivery ${wrong.id} is stopped, and delivery ${id} corrects it. broadside deliveries watch --app ${identifier} ${id}\n`,
    );
    expect((await call('GET', `/apps/${identifier}/deliveries/${id}`)).json().data).toMatchObject({
      ...{ title: 'The ferries sail', body: wrong.body, url: wrong.url, action_buttons: buttons },
      corrects_delivery_id: wrong.id,
    });
    const again = await correct('--title', 'The ferries sail', '--json');
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining(`Delivery ${id} corrects it already`),
    ]);
  } finally {
    await api.close();
  }
});
