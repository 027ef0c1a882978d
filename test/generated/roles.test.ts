// tier: system

import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { type Ability, type Role, rankOf, roles } from '../../api/auth/abilities.ts';
import { type AppRole, type GrantedRole, grantedRoles } from '../../api/auth/app-roles.ts';
import { writeGrants } from '../../api/auth/grant-store.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { bearer, createMember, type Member } from '../api/support.ts';
import { appIdOf } from '../support/subscriptions.ts';
import { byName, type ListedRoute } from './routes.ts';
import { exampleRequest, sessionOf } from './sending.ts';
import { watchChanges } from './snapshot.ts';
import { createWorld, makeParams, type Params, pathOf } from './world.ts';

/**
 * Every route with every role: in the organization, and on an app by a grant; on an app with the grant, on one without,
 * and on one of another organization. Made from the list of routes: a new one is here without a line.
 */
const world = await createWorld();
afterAll(() => world.api.close());
const takeChanges = await watchChanges(world.api.database, world.tables);

const { owner, stranger, api } = world;
const { organizationId } = owner;
const client = world.routes.filter(({ ability, hidden }) => ability !== null && !hidden);
const isOfApp = ({ params }: ListedRoute): boolean => params[0] === 'identifier';
const ofApps = client.filter(isOfApp);
const ofOrganization = client.filter((route) => !isOfApp(route));
const account = world.routes.filter(
  ({ access, hidden }) => access !== null && access !== 'anybody' && !hidden,
);

const idOf = (identifier = '') => appIdOf(api.database, identifier);

const people = new Map<Role, Promise<Member>>();
/** One of the organization with each role, whose grants a test writes. */
const personAs = (role: Role): Promise<Member> => {
  const person = people.get(role) ?? createMember(api.database, { role, organizationId });
  people.set(role, person);
  return person;
};
const grant = async (person: Member, grants: readonly (readonly [AppId, GrantedRole])[]): Promise<void> =>
  writeGrants(api.database, person.userId, new Map(grants));

const requestOf = async (
  route: ListedRoute,
  member: Member,
): Promise<{ params: Params; request: InjectOptions }> => {
  const params = await makeParams(world, member, route);
  return { params, request: await exampleRequest(world, route, member, params) };
};
const as = (headers: Record<string, string>, request: InjectOptions): InjectOptions => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

/** The rule as the documents state it, and not as the code keeps it. From the least to the most. */
const order = ['reader', 'author', 'approver', 'member', 'admin'] as const;
const base: Readonly<Record<Role, AppRole | null>> = {
  'super-admin': 'admin',
  admin: 'admin',
  member: 'member',
  reader: 'reader',
  guest: null,
};
/** From which role on. */
const takes: Readonly<Record<Ability, AppRole>> = {
  'apps:read': 'reader',
  'subscriptions:read': 'reader',
  'deliveries:read': 'reader',
  'analytics:read': 'reader',
  'deliveries:write': 'author',
  'subscriptions:write': 'approver',
  'apps:write': 'member',
};
/** An author changes and cancels only what they wrote and nobody has approved, which the examples are not. */
const ofOwnAlone: Readonly<Record<string, number>> = {
  'POST deliveries/:delivery_id/cancel': 422,
  'POST campaigns/:campaign_id/cancel': 422,
  'PATCH deliveries/:delivery_id': 422,
  'PUT campaigns/:campaign_id': 422,
  'PATCH test-browsers/:test_browser_id': 404,
  'DELETE test-browsers/:test_browser_id': 404,
  'DELETE drafts/:draft_id': 403,
};
/** What an author is answered about what another person made; undefined: it is the same. */
const foreignAnswer = ({ name }: ListedRoute): number | undefined =>
  ofOwnAlone[name.replace('/api/v1/client/apps/:identifier/', '')];
const placeOf = (role: AppRole | null): number => (role === null ? -1 : order.indexOf(role));
const allows = ({ ability, role }: ListedRoute, own: AppRole | null): boolean =>
  ability !== null &&
  placeOf(own) >= placeOf(takes[ability]) &&
  placeOf(own) >= placeOf(role as AppRole | null);
const higher = (role: Role, granted: GrantedRole | null): AppRole | null =>
  placeOf(granted) > placeOf(base[role]) ? granted : base[role];

const narrow = ['member', 'reader', 'guest'] as const;
/** Each role in the organization, alone and with each grant. */
const standings = [
  ...(['super-admin', 'admin'] as const).map((role) => [role, null] as const),
  ...narrow.flatMap((role) => [null, ...grantedRoles].map((granted) => [role, granted] as const)),
];
/** What they make themselves, or read; a test to browsers that came by a link; and drafts, which a team writes together. */
const ofNobody = [
  'POST deliveries',
  'POST deliveries/test',
  'POST deliveries/proposal',
  'POST deliveries/warnings',
  'POST campaigns',
  'POST drafts',
  'PUT drafts/:draft_id',
  'PUT drafts/:draft_id/assignee',
  'POST test-browsers/link',
];
it('every route that an author may write by is known, with what it does to the work of others', () => {
  const open = ofApps.filter((route) => route.ability?.endsWith(':write') && allows(route, 'author'));
  const names = open.map(({ name }) => name.replace('/api/v1/client/apps/:identifier/', ''));
  expect(names.toSorted()).toEqual([...Object.keys(ofOwnAlone), ...ofNobody].toSorted());
});

describe('a route of an app', () => {
  it.each(byName(ofApps))('%s: does what the role there allows, and else says why', async (_name, route) => {
    let made = await requestOf(route, owner);
    for (const [role, granted] of standings) {
      const own = higher(role, granted);
      const person = await personAs(role);
      await grant(person, granted === null ? [] : [[await idOf(made.params.identifier), granted]]);
      await takeChanges();
      const answer = await api.app.inject(as(bearer(person.token), made.request));
      const what = `${role} with ${granted}: ${answer.body}`;
      if (own === null)
        expect([answer.statusCode, answer.json()], what).toEqual([404, { message: 'Not found.' }]);
      else if (own === 'author' && foreignAnswer(route) !== undefined)
        expect(answer.statusCode, what).toBe(foreignAnswer(route));
      else if (allows(route, own)) expect(answer.statusCode, what).toBeLessThan(300);
      else {
        expect(answer.statusCode, what).toBe(403);
        expect(answer.json<{ message: string }>().message).toContain(`ability ${route.ability}`);
        expect(answer.json<{ message: string }>().message).toContain(own);
      }
      const changes = await takeChanges();
      if (answer.statusCode >= 300) expect(changes, what).toEqual([]);
      // Only a request that changed something needs another one made.
      else if (changes.length > 0) made = await requestOf(route, owner);
    }
  });

  it.each(byName(ofApps))('%s: a grant on a sister opens nothing here', async (_name, route) => {
    const { params, request } = await requestOf(route, owner);
    const sister = await makeParams(world, owner, route);
    for (const role of narrow) {
      const person = await personAs(role);
      await grant(person, [[await idOf(sister.identifier), 'admin']]);
      if (allows(route, base[role])) continue;
      const asPerson = as(bearer(person.token), request);
      await takeChanges();
      const answer = await api.app.inject(asPerson);
      expect(answer.statusCode, `${role}: ${answer.body}`).toBe(role === 'guest' ? 404 : 403);
      if (role === 'guest') {
        const absent = await api.app.inject({
          ...asPerson,
          url: pathOf(route, { ...params, identifier: 'example-news-zzzzzz' }),
        });
        expect(answer.body).toBe(absent.body);
      }
      expect(await takeChanges()).toEqual([]);
    }
  });

  it.each(byName(ofApps))(
    '%s: another organization’s is not found, even by a grant',
    async (_name, route) => {
      const { params, request } = await requestOf(route, stranger);
      for (const role of roles) {
        const person = await personAs(role);
        await grant(person, [[await idOf(params.identifier), 'admin']]);
        await takeChanges();
        const answer = await api.app.inject(as(bearer(person.token), request));
        expect([answer.statusCode, answer.json()], role).toEqual([404, { message: 'Not found.' }]);
        expect(await takeChanges()).toEqual([]);
      }
    },
  );
});

describe('a route of the organization', () => {
  it.each(byName(ofOrganization))('%s: no grant on an app opens it', async (_name, route) => {
    const [granted, sister] = [await makeApp(), await makeApp()];
    for (const role of roles) {
      const person = await personAs(role);
      await grant(person, [[await idOf(granted), 'admin']]);
      const request = as(bearer(person.token), (await requestOf(route, owner)).request);
      await takeChanges();
      const answer = await api.app.inject({
        ...request,
        ...(isList(route) && { url: `${request.url}?per_page=100` }),
      });
      if (isList(route)) {
        const shown = answer.json<{ data: { identifier: string }[]; meta: { total: number } }>();
        const named = shown.data.map(({ identifier }) => identifier);
        if (role === 'guest') expect([named, shown.meta.total]).toEqual([[granted], 1]);
        else expect(shown.meta.total).toBeGreaterThan(1);
        continue;
      }
      const isOpen = allows(route, base[role]);
      expect(answer.statusCode < 300, `${role}: ${answer.body}`).toBe(isOpen);
      if (isOpen) continue;
      expect(answer.statusCode).toBe(403);
      expect(answer.json<{ message: string }>().message).toContain(`ability ${route.ability}`);
      expect(answer.body).not.toContain(sister);
      expect(await takeChanges()).toEqual([]);
    }
  });
});

describe('a route of accounts', () => {
  it.each(byName(account))('%s: is open to its roles alone, whatever the grants', async (_name, route) => {
    const app = await makeApp();
    const { request } = await requestOf(route, owner);
    for (const role of roles) {
      const person = await createMember(api.database, { role, organizationId });
      await grant(person, [[await idOf(app), 'admin']]);
      if (rankOf(role) >= rankOf(route.access as Role)) continue;
      const session = await sessionOf(world, person);
      await takeChanges();
      const answer = await api.app.inject(as(session, request));
      expect([answer.statusCode, answer.json()], role).toEqual([
        403,
        { message: 'Your role does not allow this.' },
      ]);
      expect(await takeChanges()).toEqual([]);
    }
  });
});

const isList = ({ name }: ListedRoute): boolean => name === 'GET /api/v1/client/apps';
const appRoute = client.find(({ name }) => name === 'GET /api/v1/client/apps/:identifier');
const makeApp = async (): Promise<string> =>
  (await makeParams(world, owner, appRoute as ListedRoute)).identifier ?? '';
