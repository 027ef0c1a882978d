// tier: postgres
import { expect, it, onTestFinished } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi, deliveryBody, type Member } from '../support.ts';

it('approvals lists what waits, and approves or declines what somebody else wrote', async () => {
  const api = await createTestApi();
  onTestFinished(() => api.close());
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const author = await createMember(api.database);
  const second = await createMember(api.database, { organizationId: author.organizationId });
  const call = callAs(api.app, author);
  const { identifier } = (await call('POST', '/apps', { ...appBody(), approval: 'all' })).json().data;
  const run = (member: Member, ...args: string[]) =>
    runCliHere(['approvals', ...args], {
      cwd: import.meta.dirname,
      env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
    });
  const list = () => run(second, 'list', '--app', identifier);
  expect((await list()).out).toBe('Nothing is waiting for approval.\n');
  const one = (await call('POST', `/apps/${identifier}/deliveries`, deliveryBody({ name: 'One' }))).json()
    .data;
  const campaign = await call('POST', `/apps/${identifier}/campaigns`, {
    ...{ name: 'Two', plan: { kind: 'local_time', at: '2999-01-31T08:00' } },
    notifications: [{ title: 'Two', body: 'Text', url: 'https://news.example.com/2' }],
  });
  const two = campaign.json().data;
  const { out } = await list();
  expect(out).toMatch(new RegExp(`delivery +${one.id} +One .*@example.com`));
  expect(out).toMatch(new RegExp(`campaign +${two.id} +Two .*@example.com`));

  const approve = (member: Member, kind: string, id: number, ...rest: string[]) =>
    run(member, 'approve', '--app', identifier, kind, String(id), ...rest);
  expect((await approve(author, 'delivery', one.id)).err).toContain('another person has to approve it');
  expect((await approve(second, 'delivery', one.id)).out).toBe('One is approved.\n');
  const declined = await run(
    ...([second, 'decline', '--app', identifier, 'campaign', String(two.id)] as const),
    ...['--note', 'Which one?', '--json'],
  );
  expect(JSON.parse(declined.out).approval).toMatchObject({ state: 'declined', note: 'Which one?' });
  expect((await approve(second, 'text', 1)).err).toContain('must be delivery or campaign');
  expect((await list()).out).toBe('Nothing is waiting for approval.\n');
});
