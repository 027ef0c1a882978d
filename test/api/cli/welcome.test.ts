// tier: postgres
import { expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi } from '../support.ts';

it('a welcome is set, shown and switched off', async () => {
  const api = await createTestApi();
  try {
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const member = await createMember(api.database);
    const { identifier } = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data;
    const welcome = (...args: string[]) =>
      runCliHere(['welcome', ...args, '--app', identifier], {
        cwd: import.meta.dirname,
        env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
      });
    const words = ['--title', 'Thank you', '--body', 'Soon more', '--url', 'https://news.example.com/'];

    expect((await welcome('show')).out).toContain('No welcome');
    expect((await welcome('off')).out).toBe('There is no welcome.\n');
    expect((await welcome('set', ...words, '--delay', '5')).out).toBe(
      `New subscribers of ${identifier} get “Thank you”.\n`,
    );
    expect((await welcome('set', ...words, '--delay', '2000')).err).toContain('--delay');
    const { out } = await welcome('show');
    expect(out).toMatch(/^On, 5 min after the subscription\nTitle +Thank you\n/);
    expect(out).toContain('In 30 days 0 sent, 0 displayed, 0 clicked; 0 waiting');
    expect((await welcome('off')).out).toBe(`New subscribers of ${identifier} get no welcome.\n`);
    expect(JSON.parse((await welcome('show', '--json')).out)).toMatchObject({
      ...{ enabled: false, title: 'Thank you', delay_minutes: 5 },
    });
  } finally {
    await api.close();
  }
});
