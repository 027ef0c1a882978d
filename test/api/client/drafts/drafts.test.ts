// tier: postgres
import { describe, expect, it, onTestFinished } from 'vitest';
import { appBody, callAs, createMember, openWithMember } from '../../support.ts';

describe('drafts and templates', async () => {
  const { api, member } = await openWithMember();
  const { organizationId } = member;
  const ada = callAs(api.app, member);
  const ben = callAs(api.app, await createMember(api.database, { organizationId }));
  const reader = callAs(
    api.app,
    await createMember(api.database, { organizationId, abilities: ['deliveries:read'] }),
  );
  const path = `/apps/${(await ada('POST', '/apps', appBody())).json().data.identifier}/drafts`;

  const draft = (changes: object = {}) => ({
    ...{
      kind: 'draft',
      name: 'Storm',
      values: { title: 'Storm', url: 'news.exa', variants: [{ title: 'B' }] },
    },
    ...changes,
  });
  const create = async (changes: object = {}) => {
    const made = await ada('POST', path, draft(changes));
    expect(made.statusCode, made.body).toBe(201);
    return made.json().data;
  };

  it('are the team’s: whoever may send saves them, with whatever was written so far', async () => {
    const made = await create();
    expect(made).toMatchObject({ ...draft(), version: 1, changed_by: expect.stringContaining('@') });
    const values = { title: 'Storm hits the coast', audience: null };
    const saved = await ben('PUT', `${path}/${made.id}`, { name: 'Storm', values, version: 1 });
    expect(saved.json().data).toMatchObject({ values, version: 2 });
    expect(saved.json().data.changed_by).not.toBe(made.changed_by);
    expect((await reader('GET', `${path}/${made.id}`)).json().data.values).toEqual(values);
    expect((await reader('PUT', `${path}/${made.id}`, { name: 'x', values, version: 2 })).statusCode).toBe(
      403,
    );
  });

  it('name nobody who is in another organization by now', async () => {
    const { id } = await create();
    const { database } = api;
    const elsewhere = await createMember(database);
    const [{ email = '', name = '' } = {}] = await database.query<{ email: string; name: string }>(
      'SELECT email, name FROM users WHERE id = (SELECT author_id FROM drafts WHERE id = $1)',
      [id],
    );
    await ben('PUT', `${path}/${id}/assignee`, { email, comment: 'Check it.' });
    const shown = async () => (await ben('GET', `${path}/${id}`)).json().data;
    expect(await shown()).toMatchObject({
      ...{ author_name: name, changed_by_name: name },
      assignee: { email, name },
    });
    const move = (organization: number) =>
      database.query('UPDATE users SET organization_id = $2 WHERE email = $1', [email, organization]);
    const [{ home = 0 } = {}] = await database.query<{ home: number }>(
      'SELECT organization_id AS home FROM apps JOIN drafts ON drafts.app_id = apps.id WHERE drafts.id = $1',
      [id],
    );
    onTestFinished(async () => void (await move(home)));
    await move(elsewhere.organizationId);
    expect(await shown()).toMatchObject({ author_name: null, changed_by_name: null, assignee: null });
  });

  it('say who has changed one meanwhile, and keep what that one wrote', async () => {
    const { id } = await create();
    const save = (call: typeof ada, title: string) =>
      call('PUT', `${path}/${id}`, { name: 'Storm', values: { title }, version: 1 });
    const answers = await Promise.all([save(ada, 'Ada'), save(ben, 'Ben')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const [won, lost] = answers.toSorted((a, b) => a.statusCode - b.statusCode);
    const { changed_by: who, values } = won?.json().data ?? {};
    expect(lost?.json()).toMatchObject({
      message: `${who} has changed it meanwhile. Read it again, or save yours as another one.`,
      ...{ code: 'changed', draft: { id, version: 2, changed_by: who } },
    });
    expect((await ada('GET', `${path}/${id}`)).json().data).toMatchObject({ version: 2, values });
  });

  it('are listed by kind, the one that was saved last first, without what they hold', async () => {
    const template = await create({ kind: 'template', name: 'Weather' });
    const first = await create({ name: 'First' });
    await create({ name: 'Second' });
    await ada('PUT', `${path}/${first.id}`, { name: 'First', values: {}, version: 1 });
    const names = async (query: string) => {
      const { data } = (await reader('GET', `${path}${query}`)).json();
      for (const each of data) expect(each).not.toHaveProperty('values');
      return data.map((each: { name: string }) => each.name);
    };
    expect((await names('?kind=draft')).slice(0, 2)).toEqual(['First', 'Second']);
    expect(await names('?kind=template')).toEqual([template.name]);
    expect(await names('')).toContain('Weather');
    expect((await ada('GET', `${path}?kind=letter`)).statusCode).toBe(422);
  });

  it('are deleted once, and the audit log knows who made and deleted them', async () => {
    const { id } = await create({ name: 'Gone' });
    const answers = await Promise.all([ada('DELETE', `${path}/${id}`), ben('DELETE', `${path}/${id}`)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404]);
    expect((await ada('PUT', `${path}/${id}`, { name: 'x', values: {}, version: 1 })).statusCode).toBe(404);
    const noted = await api.database.query(
      `SELECT action, detail FROM audit_log WHERE action LIKE 'draft.%' AND subject_id = $1 ORDER BY id`,
      [String(id)],
    );
    const detail = { name: 'Gone', kind: 'draft' };
    expect(noted).toEqual([
      { action: 'draft.created', detail },
      { action: 'draft.deleted', detail },
    ]);
  });

  it('are bounded in size and in number, also where two are made at once', async () => {
    const large = await ada('POST', path, draft({ values: { body: 'x'.repeat(50_000) } }));
    expect(large.json().errors).toEqual({
      values: ['The values field must have at most 50000 characters as JSON.'],
    });
    await api.database.query(
      `INSERT INTO drafts (app_id, kind, name, "values", changed_by)
       SELECT app_id, 'template', 'T', '{}', '' FROM drafts, generate_series(1, 498) LIMIT 498`,
    );
    const made = await Promise.all([1, 2, 3].map(() => ada('POST', path, draft({ kind: 'template' }))));
    expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422, 422]);
    expect(made.find(({ statusCode }) => statusCode === 422)?.json().errors.kind).toEqual([
      'The app has 500 templates: delete some that nobody needs.',
    ]);
  });

  it('are handed to a colleague with a comment, while the version that one writes on stays', async () => {
    const { id } = await create();
    const assign = (call: typeof ada, body: object) => call('PUT', `${path}/${id}/assignee`, body);
    const people = await api.database.query<{ email: string; name: string; id: number }>(
      `SELECT users.email, users.name, users.id FROM users JOIN drafts ON drafts.id = $1 AND author_id <> users.id
       JOIN apps ON apps.id = drafts.app_id AND apps.organization_id = users.organization_id ORDER BY users.id LIMIT 1`,
      [id],
    );
    const { email, name } = people[0] ?? { email: '', name: '' };
    const handed = await assign(ada, { email: email.toUpperCase(), comment: 'Please check the times.' });
    expect(handed.json().data).toMatchObject({
      version: 1,
      assignee: { email, name },
      comment: 'Please check the times.',
      assigned_by_name: expect.any(String),
      author_name: expect.any(String),
      changed_by_name: expect.any(String),
    });
    const listed = (await ben('GET', `${path}?kind=draft`)).json().data;
    expect(listed.find((each: { id: number }) => each.id === id).assignee.email).toBe(email);
    const saved = await ben('PUT', `${path}/${id}`, { name: 'Storm', values: {}, version: 1 });
    expect([saved.statusCode, saved.json().data.assignee.email]).toEqual([200, email]);
    const taken = await assign(ben, { email: null });
    expect(taken.statusCode, taken.body).toBe(200);
    expect(taken.json().data).toMatchObject({ assignee: null, comment: '' });
    expect((await assign(reader, { email: null })).statusCode).toBe(403);
  });

  it('are handed to nobody who may not write on the app', async () => {
    const { id } = await create();
    const foreign = await createMember(api.database);
    const [other] = await api.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      foreign.userId,
    ]);
    for (const email of [other?.email, 'nobody@example.com', '']) {
      const answer = await ada('PUT', `${path}/${id}/assignee`, { email });
      expect(answer.statusCode, answer.body).toBe(422);
      expect(Object.keys(answer.json().errors)).toEqual(['email']);
    }
  });

  it('are found only by their own organization', async () => {
    const { id } = await create();
    const stranger = callAs(api.app, await createMember(api.database));
    for (const answer of [
      await stranger('GET', path),
      await stranger('GET', `${path}/${id}`),
      await stranger('DELETE', `${path}/${id}`),
    ])
      expect(answer.statusCode).toBe(404);
  });
});
