// tier: postgres

import { expect, it } from 'vitest';
import { buildSubscriptions } from '../../support/builders.ts';
import { createFakeSender, createLogStore, startEngineHarness } from '../../support/engine-harness.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import { appBody, callAs, createMember, createTestApi } from '../support.ts';

it('test browsers are registered, listed, sent a test, and removed', async () => {
  const api = await createTestApi();
  const sender = createFakeSender(() => 'accepted');
  const engine = await startEngineHarness({ database: api.database, logStore: createLogStore(), sender });
  try {
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const member = await createMember(api.database);
    const call = callAs(api.app, member);
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const appId = await appIdOf(api.database, identifier);
    await buildSubscriptions(api.database, appId, 3);
    const [second] = await api.database.query<{ id: number }>('SELECT id FROM subscriptions WHERE seq = 1');
    const run = (...args: string[]) =>
      runCliHere([...args, '--app', identifier], {
        cwd: import.meta.dirname,
        env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
      });
    const browsers = (...args: string[]) => run('test-browsers', ...args);
    const words = ['--title', 'Storm', '--body', 'At noon', '--url', 'https://news.example.com/storm'];
    const send = (...args: string[]) => run('send', ...words, ...args);

    expect((await browsers('list')).out).toContain('No test browsers');
    expect((await send('--test')).err).toContain('The app has no test browsers: register one first.');
    expect((await browsers('link')).out).toMatch(
      /^https:\/\/news\.example\.com\/#broadside-test=[\w-]{50}\n$/,
    );
    const added = await browsers('add', String(second?.id), '--name', 'The desk');
    const [, id] = /^The desk is test browser (\d+)\.\n$/.exec(added.out) ?? [];
    const { out } = await browsers('list');
    expect(out).toMatch(/^ID +NAME +STATUS +REGISTERED BY +REGISTERED\n/);
    expect(out).toMatch(new RegExp(`^ *${id} +The desk +subscribed +\\S+@\\S+ `, 'm'));
    expect(JSON.parse((await browsers('list', '--json')).out)).toMatchObject([{ name: 'The desk' }]);

    const sent = await send('--test', '--watch');
    expect([sent.code, sent.err]).toEqual([0, expect.any(String)]);
    expect(sent.out).toMatch(/^BROWSER +RESULT\n.+\nThe desk +accepted$/m);
    expect([...sender.sent.keys()]).toEqual([1]);
    expect(JSON.parse((await send('--test', String(id), '--json')).out)).toMatchObject({ test: true });
    expect((await send('--test', '999')).err).toContain(
      '--test names 999, which is not a test browser of the app.',
    );
    expect((await send('--test', '--segment', '3')).err).toContain(
      "cannot be used with option '--segment <id>'",
    );

    expect((await browsers('remove', String(id))).out).toBe(`Test browser ${id} is removed.\n`);
    expect((await browsers('remove', String(id))).err).toContain(
      `there is no test browser ${id} in the app `,
    );
  } finally {
    await engine.close();
    await api.close();
  }
});
