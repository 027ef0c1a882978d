// tier: postgres
import { expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi } from '../support.ts';

it('send asks back where a story was sent before, and names the option that sends it all the same', async () => {
  const api = await createTestApi();
  try {
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const member = await createMember(api.database);
    const { identifier } = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data;
    const story = ['--title', 'Storm', '--body', 'What to know', '--url', 'https://news.example.com/storm'];
    const send = (...more: string[]) =>
      runCliHere(['send', '--app', identifier, ...story, ...more], {
        cwd: import.meta.dirname,
        env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
      });
    expect((await send('--duplicate-guard', '24')).code).toBe(0);
    const { code, err } = await send('--duplicate-guard', '24');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^broadside: Delivery \d+ has the same link\. Send it with --confirm-duplicate if you mean it\./,
      ),
    ]);
    expect((await send('--duplicate-guard', '24', '--confirm-duplicate')).code).toBe(0);
    expect((await send('--duplicate-guard', '0')).err).toContain('--duplicate-guard must be');
  } finally {
    await api.close();
  }
});
