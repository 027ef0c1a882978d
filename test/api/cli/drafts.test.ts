// tier: postgres
import { expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi } from '../support.ts';

it('drafts are listed, shown with what they hold, and deleted', async () => {
  const api = await createTestApi();
  try {
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const member = await createMember(api.database);
    const call = callAs(api.app, member);
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const drafts = (name: string, ...args: string[]) =>
      runCliHere(['drafts', name, '--app', identifier, ...args], {
        cwd: import.meta.dirname,
        env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
      });
    expect((await drafts('list')).out).toBe('No draft or template yet.\n');
    expect((await drafts('list', '--kind', 'template')).out).toBe('No template yet.\n');
    const ids: number[] = [];
    for (const kind of ['draft', 'template']) {
      const body = { kind, name: `A ${kind}`, values: { title: 'Storm' } };
      ids.push((await call('POST', `/apps/${identifier}/drafts`, body)).json().data.id);
    }
    const { out } = await drafts('list', '--kind', 'template');
    expect(out).toMatch(/^ID +KIND +NAME +FOR +SAVED BY +SAVED\n/);
    expect(out).toMatch(new RegExp(`^ *${ids[1]} +template +A template {2,}Test +`, 'm'));
    expect(out).not.toContain('A draft');
    const more = await drafts('list', '--limit', '1');
    expect(more.err).toBe('1 older one is not shown.\n');
    expect(JSON.parse((await drafts('show', String(ids[0]))).out)).toMatchObject({
      values: { title: 'Storm' },
    });
    expect((await drafts('delete', String(ids[0]))).out).toBe(`Draft ${ids[0]} is deleted.\n`);
    const gone = await drafts('show', String(ids[0]));
    expect([gone.code, gone.err]).toEqual([
      1,
      `broadside: there is no draft ${ids[0]} in the app ${identifier} for this token\n`,
    ]);
    expect((await drafts('show', 'x')).err).toContain('must be a draft’s id');
  } finally {
    await api.close();
  }
});
