// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../../api/auth/abilities.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { appBody, callAs, createTestApi, deliveryBody, openTestApi } from '../../support.ts';
import { createPerson, openBrowser, type Person } from '../support.ts';

const breaking = (changes: object = {}) => deliveryBody({ lane: 'breaking', ...changes });

describe('breaking deliveries of an organization', async () => {
  let admin: Person;
  let member: Person;
  let app: string;

  const api = await openTestApi();
  /** Another API process over the same database. */
  const other = await openTestApi({ database: api.database });
  beforeEach(async () => {
    admin = await createPerson(api.database, { role: 'admin' });
    member = await colleague('member');
    app = `/apps/${(await callAs(api.app, admin)('POST', '/apps', appBody())).json().data.identifier}`;
  });

  const colleague = (role: Role) =>
    createPerson(api.database, { role, organizationId: admin.organizationId });
  const create = (
    person: Person,
    body: object = breaking(),
    headers: Record<string, string> = {},
    at = api,
  ) =>
    at.app.inject({
      ...{ method: 'POST', url: `/api/v1/client${app}/deliveries`, payload: body },
      headers: { authorization: `Bearer ${person.token}`, ...headers },
    });
  const rules = async (person: Person, query = '') =>
    (await (await openBrowser(api.app, person)).account('GET', `/breaking${query}`)).json().data;
  const allow = async (change: object, person = admin) =>
    (await openBrowser(api.app, person)).account('PATCH', '/breaking', change);
  const cancel = (id: number) => callAs(api.app, admin)('POST', `${app}/deliveries/${id}/cancel`);

  it('are open to all members and unlimited by default', async () => {
    expect((await create(member)).statusCode).toBe(201);
    expect(await rules(member)).toEqual({
      ...{ role: 'member', per_day: null, operator_per_day: null, limit: null },
      ...{ used: 1, left: null, may_send: true },
    });
  });

  it('can be restricted to admins: others and their tokens get a 403 that says how to resolve it', async () => {
    expect((await allow({ role: 'admin' })).statusCode).toBe(200);
    const key = { 'idempotency-key': 'breaking-for-admins' };
    const refused = await create(member, breaking(), key);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({ message: expect.stringMatching(/only admins .* bulk/s) });
    // The ability stays as it was, and the idempotency key can be used again.
    expect((await create(member, deliveryBody(), key)).statusCode).toBe(201);
    expect((await create(admin)).statusCode).toBe(201);
    expect(await rules(member)).toMatchObject({ may_send: false, used: 1 });
    expect(await rules(admin)).toMatchObject({ may_send: true });
  });

  it('never exceed the daily limit, however many are created at once on however many processes', async () => {
    await allow({ per_day: 3 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => create(member, breaking(), {}, at % 2 === 0 ? api : other)),
    );
    const codes = answers.map(({ statusCode }) => statusCode).toSorted();
    expect(codes).toEqual([...Array(3).fill(201), ...Array(9).fill(422)]);
    const refused = answers.find(({ statusCode }) => statusCode === 422)?.json();
    expect(refused.errors).toEqual({
      lane: [expect.stringMatching(/your organization allows 3 breaking deliveries a day.*bulk.*admin/s)],
    });
    expect(refused.errors.lane[0]).toContain(new Date().toISOString().slice(0, 10));
    expect(await rules(member)).toMatchObject({ used: 3, left: 0, limit: 3 });
    expect((await create(member, deliveryBody())).statusCode).toBe(201);
  });

  it('count a repeated request once, and answer it though it used the last one', async () => {
    await allow({ per_day: 1 });
    const key = { 'idempotency-key': 'the-last-one' };
    const answers = await Promise.all(
      [api, other, api, other].map((at) => create(member, breaking(), key, at)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await rules(member)).toMatchObject({ used: 1, left: 0 });
    const other_key = { 'idempotency-key': 'one-more' };
    expect((await create(member, breaking(), other_key)).statusCode).toBe(422);
    // Refused, it left its key free.
    expect((await create(member, deliveryBody(), other_key)).statusCode).toBe(201);
  });

  it('do not count when they are cancelled before they start, and count afterwards', async () => {
    await allow({ per_day: 1 });
    const first = (await create(member)).json().data.id;
    expect((await create(member)).statusCode).toBe(422);
    expect((await cancel(first)).statusCode).toBe(200);
    expect(await rules(member)).toMatchObject({ used: 0, left: 1 });
    const second = (await create(member)).json().data.id;
    await api.database.query(
      `UPDATE deliveries SET status = 'processing', started_at = now() WHERE id = $1`,
      [second],
    );
    expect((await cancel(second)).statusCode).toBe(200);
    expect((await create(member)).statusCode).toBe(422);
  });

  it('count on the day they are sent', async () => {
    await allow({ per_day: 1 });
    const day = '2099-03-01';
    const then = { scheduled_at: `${day}T23:30:00+00:00` };
    expect((await create(member, breaking(then))).statusCode).toBe(201);
    const refused = await create(member, breaking({ scheduled_at: '2099-03-01T01:00:00+01:00' }));
    expect([refused.statusCode, refused.json().errors.lane[0]]).toEqual([422, expect.stringContaining(day)]);
    const before = breaking({ scheduled_at: '2099-03-01T00:30:00+01:00' });
    expect((await create(member, before)).statusCode).toBe(201);
    expect((await create(member)).statusCode).toBe(201);
    expect(await rules(member, `?day=${day}`)).toMatchObject({ used: 1, left: 0 });
    expect(await rules(member, '?day=2099-03-02')).toMatchObject({ used: 0, left: 1 });
  });

  it('take the lane as rehearsals too, which count', async () => {
    await allow({ per_day: 1 });
    expect((await create(member, breaking({ rehearsal: true }))).statusCode).toBe(201);
    expect((await create(member)).statusCode).toBe(422);
  });

  it('are counted over all apps of the organization, and of no other one', async () => {
    await allow({ per_day: 1 });
    const second = (await callAs(api.app, admin)('POST', '/apps', appBody())).json().data.identifier;
    await callAs(api.app, member)('POST', `/apps/${second}/deliveries`, breaking());
    expect((await create(member)).statusCode).toBe(422);
    const stranger = await createPerson(api.database, { role: 'admin' });
    expect(await rules(stranger)).toMatchObject({ used: 0, limit: null });
    expect(
      (await allow({ per_day: 0, organization_id: admin.organizationId }, stranger)).json().errors,
    ).toEqual({ organization_id: [expect.stringMatching(/super-admins only/)] });
    const query = `/breaking?organization_id=${admin.organizationId}`;
    expect((await (await openBrowser(api.app, stranger)).account('GET', query)).statusCode).toBe(422);
  });

  it('are limited by an admin, or by a super-admin for another organization, with a note of each change', async () => {
    expect((await allow({ per_day: 2 }, member)).statusCode).toBe(403);
    const changed = await allow({ role: 'admin', per_day: 2 });
    expect(changed.json().data).toMatchObject({ role: 'admin', per_day: 2, limit: 2, left: 2 });
    await allow({ role: 'admin' });
    const operator = await createPerson(api.database, { role: 'super-admin' });
    const lifted = await allow({ per_day: null, organization_id: admin.organizationId }, operator);
    expect(lifted.json().data).toMatchObject({ role: 'admin', per_day: null, limit: null });
    const notes = await api.database.query<{ detail: object; user_email: string }>(
      `SELECT detail, user_email FROM audit_log
       WHERE organization_id = $1 AND action = 'organization.breaking-changed' ORDER BY id`,
      [admin.organizationId],
    );
    expect(notes).toEqual([
      {
        detail: { role: 'admin', per_day: 2, was: { role: 'member', per_day: null } },
        user_email: admin.email,
      },
      {
        detail: { role: 'admin', per_day: null, was: { role: 'admin', per_day: 2 } },
        user_email: operator.email,
      },
    ]);
  });

  it.each([{ per_day: -1 }, { per_day: 1.5 }, { role: 'super-admin' }, { per_day: 'many' }])(
    'are not limited by %j',
    async (change) => {
      const answer = await allow(change);
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, Object.keys(change)]);
    },
  );

  it('are capped by the operator for each organization, whatever it allows itself', async () => {
    const capped = await createTestApi({ database: api.database, config: { breakingPerDay: 1 } });
    try {
      await allow({ per_day: 5 });
      expect((await create(member, breaking(), {}, capped)).statusCode).toBe(201);
      const refused = await create(admin, breaking(), {}, capped);
      expect(refused.json().errors.lane[0]).toMatch(
        /the operator allows each organization 1 breaking delivery/,
      );
      const shown = await (await openBrowser(capped.app, member)).account('GET', '/breaking');
      expect(shown.json().data).toMatchObject({ per_day: 5, operator_per_day: 1, limit: 1, left: 0 });
      await allow({ per_day: 0 });
      expect((await create(member, breaking(), {}, capped)).json().errors.lane[0]).toMatch(
        /your organization/,
      );
    } finally {
      await capped.close();
    }
  });

  it('are shown and limited on the command line', async () => {
    const name = `Newsroom ${admin.organizationId}`;
    await api.database.query(`UPDATE organizations SET name = $2 WHERE id = $1`, [
      admin.organizationId,
      name,
    ]);
    const run = (...args: string[]) =>
      runCliHere(['breaking', '--organization', name, ...args], {
        ...{ cwd: process.cwd(), env: { DATABASE_URL: api.databaseUrl } },
      });
    await create(member);
    expect((await run()).out).toBe(
      `"${name}": all of its users may send breaking deliveries, as many a day as they like; 1 today.\n`,
    );
    const limited = await run('--role', 'admin', '--per-day', '4', '--json');
    expect(limited.err).toBe('');
    expect(JSON.parse(limited.out)).toEqual({ organization: name, role: 'admin', per_day: 4, used: 1 });
    expect(await rules(member)).toMatchObject({ role: 'admin', per_day: 4, left: 3, may_send: false });
    expect(JSON.parse((await run('--per-day', 'none', '--json')).out)).toMatchObject({ per_day: null });
    const wrong = await run('--per-day', 'few');
    expect([wrong.code, wrong.err]).not.toEqual([0, '']);
  }, 300_000);
});
