// tier: postgres
import { Compile } from 'typebox/compile';
import { beforeEach, describe, expect, it } from 'vitest';
import { categorySchema } from '../../../api/client/delivery-categories/schema.ts';
import { appBody, callAs, createMember, deliveryBody, openWithMember } from '../support.ts';

describe('delivery categories', async () => {
  let app: string;
  const { api, member, call } = await openWithMember();
  beforeEach(async () => {
    app = (await call('POST', '/apps', appBody())).json().data.identifier;
  });

  const post = (body: object) => call('POST', `/apps/${app}/delivery-categories`, body);
  const create = async (name = 'Sport'): Promise<{ id: number }> => (await post({ name })).json().data;
  const path = (id: number | string) => `/apps/${app}/delivery-categories/${id}`;

  it('are created, shown, and listed in the order of their names', async () => {
    const made = await post({ name: 'Sport', description: 'Results' });
    expect([made.statusCode, made.json().data]).toEqual([
      201,
      expect.objectContaining({ name: 'Sport', description: 'Results' }),
    ]);
    expect(Compile(categorySchema).Check(made.json().data)).toBe(true);
    const second = await create('culture');
    expect(second).toMatchObject({ name: 'culture', description: null });
    expect((await call('GET', path(second.id))).json()).toEqual({ data: second });
    const list = (await call('GET', `/apps/${app}/delivery-categories`)).json();
    expect(list.data).toEqual([second, made.json().data]);
    expect(list.meta.total).toBe(2);
  });

  it('are replaced by PUT, and PATCH keeps absent fields', async () => {
    const { id } = (await post({ name: 'Sport', description: 'Results' })).json().data;
    const changed = async (method: 'PUT' | 'PATCH', changes: object) => {
      const answer = await call(method, path(id), changes);
      expect(answer.statusCode).toBe(200);
      const { name, description } = answer.json().data;
      return [name, description];
    };
    expect(await changed('PATCH', { name: 'SPORT' })).toEqual(['SPORT', 'Results']);
    expect(await changed('PATCH', { name: null, description: 'Scores' })).toEqual(['SPORT', 'Scores']);
    expect(await changed('PATCH', {})).toEqual(['SPORT', 'Scores']);
    expect(await changed('PATCH', { description: null })).toEqual(['SPORT', null]);
    expect(await changed('PATCH', { description: 'Results' })).toEqual(['SPORT', 'Results']);
    expect(await changed('PUT', { name: 'Sport' })).toEqual(['Sport', null]);
    expect((await call('PUT', path(id), { description: 'x' })).statusCode).toBe(422);
  });

  it('of one app have different names, in any case, for as long as they live', async () => {
    const { id } = await create('Sport');
    const { id: other } = await create('Culture');
    const taken = { name: ['The name field is taken by another delivery category.'] };
    for (const refused of [
      await post({ name: 'sPORT' }),
      await call('PUT', path(other), { name: 'SPORT' }),
    ]) {
      expect([refused.statusCode, refused.json().errors]).toEqual([422, taken]);
    }
    await call('DELETE', path(id));
    expect((await post({ name: 'sport' })).statusCode).toBe(201);
    const elsewhere = (await call('POST', '/apps', appBody())).json().data.identifier;
    const answer = await call('POST', `/apps/${elsewhere}/delivery-categories`, { name: 'Sport' });
    expect(answer.statusCode).toBe(201);
  });

  it('with one name are created once, however many requests come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => post({ name: 'Politics' })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422, 422, 422, 422]);
  });

  it.each<[field: string, body: object, message: RegExp]>([
    ['name', {}, /is required/],
    ['name', { name: '' }, /must not be empty/],
    ['name', { name: 'x'.repeat(256) }, /longer than 255/],
    ['description', { name: 'x', description: 1 }, /must be a string/],
  ])('answer 422 naming %s for %j', async (field, body, message) => {
    const answer = await post(body);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]]);
    expect(answer.json().errors[field][0]).toMatch(message);
  });

  it('answer the same 404 where they are missing, deleted, another app’s or another organization’s', async () => {
    const { id } = await create();
    const { id: deleted } = await create('Deleted');
    expect((await call('DELETE', path(deleted))).statusCode).toBe(204);
    const other = (await call('POST', '/apps', appBody())).json().data.identifier;
    const stranger = callAs(api.app, await createMember(api.database));
    const answers = await Promise.all([
      call('GET', path('x')),
      call('GET', path(deleted)),
      call('PUT', path(deleted), { name: 'x' }),
      call('DELETE', path(deleted)),
      call('GET', `/apps/${other}/delivery-categories/${id}`),
      call('PUT', `/apps/${other}/delivery-categories/${id}`, { name: 'x' }),
      call('DELETE', `/apps/${other}/delivery-categories/${id}`),
      stranger('GET', path(id)),
      stranger('GET', `/apps/${app}/delivery-categories`),
      stranger('POST', `/apps/${app}/delivery-categories`, { name: 'x' }),
    ]);
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(404);
  });

  it('need the abilities of deliveries', async () => {
    const { organizationId } = member;
    const reader = await createMember(api.database, { abilities: ['deliveries:read'], organizationId });
    const read = callAs(api.app, reader);
    expect((await read('GET', `/apps/${app}/delivery-categories`)).statusCode).toBe(200);
    expect((await read('POST', `/apps/${app}/delivery-categories`, { name: 'x' })).statusCode).toBe(403);
  });

  it('are logged with the author of the change', async () => {
    const { id } = await create();
    await call('PUT', path(id), { name: 'Renamed' });
    await call('DELETE', path(id));
    const rows = await api.database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE subject_id = $1 AND action LIKE 'delivery-category.%' ORDER BY id`,
      [String(id)],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'delivery-category.created',
      'delivery-category.updated',
      'delivery-category.deleted',
    ]);
  });

  it('are shown by the deliveries in them, and not deleted before those have started', async () => {
    const { id } = await create();
    const posted = await call('POST', `/apps/${app}/deliveries`, deliveryBody({ delivery_category_id: id }));
    expect([posted.statusCode, posted.json().data.delivery_category_id]).toEqual([201, id]);
    const refused = await call('DELETE', path(id));
    expect([refused.statusCode, refused.json()]).toEqual([
      422,
      { message: expect.stringContaining('not started yet is in this category') },
    ]);
    await api.database.query(`UPDATE deliveries SET status = 'processing' WHERE id = $1`, [
      posted.json().data.id,
    ]);
    expect((await call('DELETE', path(id))).statusCode).toBe(204);
    const late = await call('POST', `/apps/${app}/deliveries`, deliveryBody({ delivery_category_id: id }));
    expect([late.statusCode, late.json().errors]).toEqual([
      422,
      {
        delivery_category_id: ['The delivery_category_id field must refer to an existing delivery category.'],
      },
    ]);
  });

  it('racing with their deletion never leave a delivery in a category that is gone', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create(`Round ${round}`);
      const [posted, deleted] = await Promise.all([
        call('POST', `/apps/${app}/deliveries`, deliveryBody({ delivery_category_id: id })),
        call('DELETE', path(id)),
      ]);
      expect([
        [201, 422],
        [422, 204],
      ]).toContainEqual([posted.statusCode, deleted.statusCode]);
    }
  });
});
