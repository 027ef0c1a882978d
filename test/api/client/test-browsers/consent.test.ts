// tier: postgres
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GrantedRole } from '../../../../api/auth/app-roles.ts';
import { writeGrants } from '../../../../api/auth/grant-store.ts';
import { MOST_BY_LINKS } from '../../../../api/shared/test-browsers/store.ts';
import { buildSubscriptions } from '../../../support/builders.ts';
import { createSite, type Site } from '../../../support/site.ts';
import { callAs, createMember, deliveryBody, openTestApi } from '../../support.ts';

/** An author's test has no second person: it is for browsers that came by a link themselves. */
describe('a test of an author', async () => {
  let site: Site;
  let [admin, author]: Call[] = [];
  const api = await openTestApi();
  beforeEach(async () => {
    site = await createSite(api.app, api.database);
    await buildSubscriptions(api.database, site.appId, 22);
    [admin, author] = [await as('admin'), await as('author')];
  });

  type Call = ReturnType<typeof callAs>;
  async function as(role: GrantedRole): Promise<Call> {
    const [app] = await api.database.query<{ owner: number }>(
      'SELECT organization_id AS owner FROM apps WHERE id = $1',
      [site.appId],
    );
    const person = await createMember(api.database, { role: 'guest', organizationId: app?.owner ?? 0 });
    await writeGrants(api.database, person.userId, new Map([[site.appId, role]]));
    const call = callAs(api.app, person);
    return (method, path, body) => call(method, `/apps/${site.identifier}${path}`, body);
  }
  const call = (who: Call | undefined): Call => {
    if (who === undefined) throw new Error('nobody');
    return who;
  };
  /** On the site's page, by a link. */
  async function comeByLink(who: Call | undefined, isNamedBySecret = true): Promise<number> {
    const { token } = (await call(who)('POST', '/test-browsers/link')).json().data;
    const browserSecret = randomBytes(32).toString('base64url');
    const body = site.subscribeBody(isNamedBySecret ? { browserSecret } : {});
    expect((await site.post('subscribe', body)).statusCode).toBe(200);
    const name = isNamedBySecret ? { browserSecret } : { userId: body.userId };
    return (await site.post('test-browser', { ...name, token })).statusCode;
  }
  const pick = async (who: Call | undefined) => {
    const rows = await api.database.query<{ id: number }>(
      'SELECT id FROM subscriptions WHERE app_id = $1 AND seq < 22',
      [site.appId],
    );
    const codes = [];
    for (const { id } of rows)
      codes.push((await call(who)('POST', '/test-browsers', { subscription_id: id })).statusCode);
    return new Set(codes);
  };
  const send = (who: Call | undefined, rest: object = {}) => {
    const { name: _, ...content } = deliveryBody();
    return call(who)('POST', '/deliveries/test', { ...content, ...rest });
  };
  const seqsOf = async (id: number) => {
    const [row] = await api.database.query<{ seqs: number[] }>(
      `SELECT campaign_part -> 'seqs' AS seqs FROM deliveries WHERE id = $1`,
      [id],
    );
    return row?.seqs;
  };
  const list = async () => (await call(admin)('GET', '/test-browsers')).json().data;

  it('reaches none of the readers that the author picks', async () => {
    expect(await pick(author)).toEqual(new Set([403]));
    expect(await list()).toEqual([]);
    expect((await send(author)).statusCode).toBe(422);
  });

  it('reaches none that an admin picked, and those that came by a link, whose ever it was', async () => {
    expect(await pick(admin)).toEqual(new Set([201]));
    const refused = await send(author);
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['test_browser_ids']]);
    expect([await comeByLink(author), await comeByLink(admin)]).toEqual([200, 200]);
    const sent = await send(author);
    expect(sent.statusCode, sent.body).toBe(201);
    expect(await seqsOf(sent.json().data.id)).toEqual([22, 23]);
    const picked = (await list()).find(({ consented }: { consented: boolean }) => !consented);
    const named = await send(author, { test_browser_ids: [picked.id] });
    expect(named.statusCode).toBe(422);
    // An admin's own goes to all of them.
    expect(await seqsOf((await send(admin)).json().data.id)).toHaveLength(24);
  });

  it('reaches no browser that came by its user id alone: others know that', async () => {
    expect(await comeByLink(author, false)).toBe(422);
    expect(await list()).toEqual([]);
  });

  it('leaves a browser that came by a link one that came by it, when an admin picks it too', async () => {
    await comeByLink(author);
    const [{ subscription_id }] = await list();
    await call(admin)('POST', '/test-browsers', { subscription_id });
    expect(await list()).toMatchObject([{ consented: true }]);
    expect((await send(author)).statusCode).toBe(201);
  });

  it('reaches a bounded number: one person’s links register few', async () => {
    const codes = [];
    for (let each = 0; each <= MOST_BY_LINKS; each++) codes.push(await comeByLink(author));
    expect(codes).toEqual([...Array.from({ length: MOST_BY_LINKS }, () => 200), 422]);
    // Those of a colleague are counted for them.
    expect(await comeByLink(admin)).toBe(200);
  });

  it('leaves the last tests of an hour to colleagues', async () => {
    await comeByLink(author);
    const codes = [];
    for (let each = 0; each < 21; each++) codes.push((await send(author)).statusCode);
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 201), 422]);
    expect((await send(admin)).statusCode).toBe(201);
  });

  it('is no way to take away or rename the browsers of others', async () => {
    await comeByLink(admin);
    await comeByLink(author);
    const all = await list();
    const [{ registered_by: own }] = (await api.database.query<{ registered_by: string }>(
      'SELECT registered_by FROM test_browsers WHERE app_id = $1 ORDER BY id DESC',
      [site.appId],
    )) as [{ registered_by: string }];
    for (const { id, registered_by } of all) {
      const isOwn = registered_by === own;
      const renamed = await call(author)('PATCH', `/test-browsers/${id}`, { name: 'Mine' });
      const removed = await call(author)('DELETE', `/test-browsers/${id}`);
      expect([renamed.statusCode, removed.statusCode]).toEqual(isOwn ? [200, 204] : [404, 404]);
    }
    expect(await list()).toMatchObject([{ name: expect.not.stringContaining('Mine') }]);
  });
});
