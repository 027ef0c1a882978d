// tier: postgres
import { describe, expect, it } from 'vitest';
import { auditActions } from '../../../../api/auth/audit.ts';
import { appBody, callAs, openTestApi } from '../../support.ts';
import { createPerson, openBrowser } from '../support.ts';

interface Entry {
  readonly id: number;
  readonly action: string;
  readonly [field: string]: unknown;
}

describe('the audit log', async () => {
  const api = await openTestApi();
  const admin = await createPerson(api.database);
  const browser = await openBrowser(api.app, admin);

  const read = async (query = ''): Promise<Entry[]> => {
    const answer = await browser.account('GET', `/audit-log${query}`);
    expect(answer.statusCode).toBe(200);
    return answer.json().data;
  };

  it('lists the author, action, time and channel of each change, newest first', async () => {
    const { identifier } = (await callAs(api.app, admin)('POST', '/apps', appBody())).json().data;
    await browser.account('POST', '/tokens', { name: 'laptop', abilities: ['apps:read'] });
    const [second, first, logIn] = await read();
    const common = { user_id: admin.userId, user_email: admin.email };
    expect(second).toEqual({
      ...common,
      id: expect.any(Number),
      at: expect.stringMatching(/\+00:00$/),
      action: 'token.created',
      subject_id: expect.stringMatching(/^\d+$/),
      app: null,
      token_id: null,
      via: 'session',
      detail: { name: 'laptop', abilities: ['apps:read'] },
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(first).toMatchObject({
      ...common,
      action: 'app.created',
      subject_id: identifier,
      app: identifier,
      token_id: Number(admin.token.split('|')[0]),
      via: 'token',
    });
    expect(logIn).toMatchObject({ ...common, action: 'user.logged-in', via: 'session' });
  });

  it('names a user by their address at that time, also after their removal', async () => {
    const { organizationId } = admin;
    const gone = await createPerson(api.database, { organizationId });
    await (await openBrowser(api.app, gone)).account('PATCH', '/me', { name: 'Grace' });
    await browser.account('DELETE', `/users/${gone.userId}`);
    const entries = await read(`?user_id=${gone.userId}`);
    expect(entries.map(({ action, user_email }) => [action, user_email])).toEqual([
      ['user.renamed', gone.email],
      ['user.logged-in', gone.email],
    ]);
  });

  it('is filtered by action, user and time, and comes in pages', async () => {
    const colleague = await createPerson(api.database, { organizationId: admin.organizationId });
    await openBrowser(api.app, colleague);
    const logIns = await read('?action=user.logged-in');
    expect(new Set(logIns.map(({ action }) => action))).toEqual(new Set(['user.logged-in']));
    const theirs = await read(`?action=user.logged-in&user_id=${colleague.userId}`);
    expect(theirs.map(({ user_id }) => user_id)).toEqual([colleague.userId]);
    await api.database.query(`UPDATE audit_log SET at = '2025-06-15T12:00:00Z' WHERE id = $1`, [
      theirs[0]?.id,
    ]);
    const ids = async (query: string) => (await read(query)).map(({ id }) => id);
    expect(await ids('?until=2025-06-15')).toEqual([theirs[0]?.id]);
    expect(await ids('?since=2025-06-15&until=2025-06-15T12:00:00Z')).toEqual([theirs[0]?.id]);
    expect(await ids('?until=2025-06-15T11:59:59Z')).toEqual([]);
    expect(await ids('?since=2025-06-16')).not.toContain(theirs[0]?.id);
    const paged = (await browser.account('GET', '/audit-log?per_page=1&page=2')).json();
    expect([paged.data.length, paged.meta.current_page, paged.links.next]).toEqual([
      1,
      2,
      expect.stringContaining('per_page=1&page=3'),
    ]);
    for (const query of ['?action=user.flown', '?since=yesterday', '?user_id=x', '?organization_id=1']) {
      expect((await browser.account('GET', `/audit-log${query}`)).statusCode).toBe(422);
    }
  });

  it('is the organization’s own', async () => {
    const stranger = await createPerson(api.database);
    const theirs = await openBrowser(api.app, stranger);
    const entries: Entry[] = (await theirs.account('GET', '/audit-log')).json().data;
    expect(entries.map(({ user_id }) => user_id)).toEqual([stranger.userId]);
  });

  it('knows each action by one name', () => {
    expect(new Set(auditActions).size).toBe(auditActions.length);
    for (const action of auditActions) expect(action).toMatch(/^[a-z-]+\.[a-z-]+$/);
  });
});
