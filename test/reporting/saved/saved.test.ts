// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { todayIn } from '../../../engine/contract/days.ts';
import { relativeDays } from '../../../engine/contract/relative-days.ts';
import { moveAway } from '../../support/move-away.ts';
import { createReportToken, createReportUser, createTestReporting } from '../support.ts';
import { colleagueOf, createAsk, savedBody } from './support.ts';

const reporting = await createTestReporting();
const ask = createAsk(reporting.app);
afterAll(() => reporting.close());

describe('a saved report', () => {
  it('has the days of its period as the calendar of its zone has them now', async () => {
    const token = await createReportToken(reporting.database);
    const zone = 'Pacific/Kiritimati';
    const made = await ask(token, 'POST', '/saved', { ...savedBody, timezone: zone });
    expect(made.statusCode, made.body).toBe(201);
    const days = relativeDays('last_7_days', todayIn(zone, Date.now()));
    const { name, period, ...question } = savedBody;
    expect(made.json().data).toMatchObject({
      ...{ name, period, view: null, may_change: true },
      request: { ...question, timezone: zone, selectedDate: days },
    });
    const generated = await ask(token, 'POST', '/generate', made.json().data.request);
    expect(generated.statusCode, generated.body).toBe(200);
  });

  it('is shared in the organization, found by nobody else, and changed by its maker and admins', async () => {
    const user = await createReportUser(reporting.database);
    const token = await createReportToken(reporting.database, undefined, user);
    const tokenOf = async (role: 'member' | 'admin', narrowed: 'reader' | null = null) =>
      createReportToken(reporting.database, undefined, await colleagueOf(reporting, user, role, narrowed));
    const { data } = (await ask(token, 'POST', '/saved', savedBody)).json();
    const path = `/saved/${data.id}`;
    const member = await tokenOf('member');
    expect((await ask(member, 'GET', '/saved')).json().data).toMatchObject([
      { id: data.id, may_change: false },
    ]);
    expect((await ask(member, 'PUT', path, savedBody)).statusCode).toBe(403);
    expect((await ask(member, 'DELETE', path)).statusCode).toBe(403);
    const reader = await tokenOf('member', 'reader');
    expect((await ask(reader, 'POST', '/saved', { ...savedBody, name: 'mine' })).statusCode).toBe(403);
    const stranger = await createReportToken(reporting.database);
    expect((await ask(stranger, 'GET', '/saved')).json().data).toEqual([]);
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect((await ask(stranger, method, path, method === 'PUT' ? savedBody : undefined)).statusCode).toBe(
        404,
      );
    const admin = await tokenOf('admin');
    const changed = { ...savedBody, name: 'Other', view: { chart: true } };
    expect((await ask(admin, 'PUT', path, changed)).json().data).toMatchObject({
      name: 'Other',
      view: { chart: true },
    });
    expect((await ask(token, 'DELETE', path)).statusCode).toBe(204);
    expect((await ask(token, 'GET', path)).statusCode).toBe(404);
  });

  it('has a name of its own in the organization, in whatever case, also of two at once', async () => {
    const user = await createReportUser(reporting.database);
    const token = await createReportToken(reporting.database, undefined, user);
    const answers = await Promise.all(
      ['Weekly', 'WEEKLY', 'weekly '].map((name) => ask(token, 'POST', '/saved', { ...savedBody, name })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
    const other = (await ask(token, 'POST', '/saved', { ...savedBody, name: 'Other' })).json().data;
    const renamed = await ask(token, 'PUT', `/saved/${other.id}`, { ...savedBody, name: 'weeklY' });
    expect(renamed.statusCode).toBe(409);
  });

  it('is refused with each field’s reason', async () => {
    const token = await createReportToken(reporting.database);
    const errorsOf = async (body: object) => (await ask(token, 'POST', '/saved', body)).json().errors;
    const { period: _, ...plain } = savedBody;
    const days = ['2026-01-01', '2026-01-31'];
    expect(await errorsOf({ ...savedBody, selectedDate: days })).toHaveProperty('period');
    expect(await errorsOf({ ...savedBody, period: 'last-week' })).toHaveProperty('period');
    expect(await errorsOf({ ...savedBody, compare_to: days })).toHaveProperty('compare_to');
    expect(await errorsOf({ ...savedBody, name: '  ' })).toHaveProperty('name');
    expect(await errorsOf({ ...savedBody, view: { text: 'x'.repeat(5_000) } })).toHaveProperty('view');
    expect(await errorsOf({ ...plain, dimensions: ['dya'] })).toMatchObject({
      'dimensions.0': [expect.stringContaining('day')],
    });
    const values = Array.from({ length: 500 }, (_value, index) => `${index}`.padStart(100, '0'));
    const filters = [{ value: 'ad_unit', type: 'dimension', comparator: 'in', selectedValues: values }];
    const large = { ...savedBody, filter_groups: [{ operator: 'or', filters }] };
    expect(await errorsOf(large)).toHaveProperty('filter_groups');
  });

  it('is one of a hundred at most', async () => {
    const token = await createReportToken(reporting.database);
    for (let n = 0; n < 100; n++) await ask(token, 'POST', '/saved', { ...savedBody, name: `${n}` });
    const answer = await ask(token, 'POST', '/saved', { ...savedBody, name: 'one more' });
    expect([answer.statusCode, answer.json().message]).toEqual([409, expect.stringContaining('100')]);
  });

  it('stays with the organization when its maker goes, and names nobody who has left', async () => {
    const user = await createReportUser(reporting.database);
    const colleague = await colleagueOf(reporting, user, 'admin');
    const token = await createReportToken(reporting.database, undefined, user);
    await ask(token, 'POST', '/saved', savedBody);
    const left = await createReportToken(reporting.database, undefined, colleague);
    const saved = async () => (await ask(left, 'GET', '/saved')).json().data;
    expect(await saved()).toMatchObject([{ made_by: expect.stringContaining('@') }]);
    await moveAway(reporting.database, user);
    expect(await saved()).toMatchObject([{ made_by: null, may_change: true }]);
    await reporting.database.query('DELETE FROM users WHERE id = $1', [user]);
    expect(await saved()).toMatchObject([{ made_by: null, may_change: true }]);
  });
});
