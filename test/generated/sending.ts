import type { InjectOptions } from 'fastify';
import { csrfTokenOf, SESSION_COOKIE } from '../../api/auth/session-cookie.ts';
import { hashSecret, newSecret } from '../../engine/kit/http/token.ts';
import { bearer, type Member } from '../api/support.ts';
import { examplesOf, operationOf } from './answers.ts';
import { fixtures } from './fixtures.ts';
import { preparations } from './preparations.ts';
import type { ListedRoute } from './routes.ts';
import { makerOf, type Params, pathOf, type World } from './world.ts';

type Headers = Record<string, string>;

/** A session as a log-in would have begun it. */
export async function sessionOf({ api }: World, member: Member): Promise<Headers> {
  const secret = newSecret();
  await api.database.query(`INSERT INTO sessions (secret_hash, user_id) VALUES ($1, $2)`, [
    hashSecret(secret),
    member.userId,
  ]);
  return { cookie: `${SESSION_COOKIE}=${secret}`, 'x-csrf-token': csrfTokenOf(secret) };
}

/** What makes a request count as the member's; the tier says how, and the path names the tier. */
async function headersOf(world: World, route: ListedRoute, member: Member): Promise<Headers> {
  if (route.url.startsWith('/api/v1/client')) return bearer(member.token);
  if (route.url.startsWith('/api/v1/account')) {
    const asOperator = route.access === 'super-admin' && member === world.owner;
    return sessionOf(world, asOperator ? world.operator : member);
  }
  if (!route.url.startsWith('/api/v1/public')) return {};
  const identifier = (await fixtures.identifier?.(makerOf(world, member, {}))) ?? '';
  return { origin: 'https://news.example.com', 'x-app-id': identifier };
}

/** What a request of the member's needs: where it goes, as whom, and which values of the example are real. */
export interface Prepared {
  readonly params: Params;
  readonly headers: Headers;
  fillIn(body: string): string;
}

export async function prepare(
  world: World,
  route: ListedRoute,
  member: Member,
  params: Params,
): Promise<Prepared> {
  const headers = await headersOf(world, route, member);
  const appId = headers['x-app-id'];
  const make = preparations[operationOf(world.document, route)?.operationId ?? ''];
  const made = appId === undefined ? params : { ...params, identifier: appId };
  const { cookie, ...prepared } = (await make?.(makerOf(world, member, made))) ?? {};
  const values = { ...(appId === undefined ? {} : { appId }), ...prepared };
  const [example] = (route.body?.examples ?? []) as readonly Record<string, unknown>[];
  const fillIn = (body: string): string =>
    Object.entries(values).reduce(
      (text, [key, value]) => text.replaceAll(JSON.stringify(example?.[key] ?? '\0'), JSON.stringify(value)),
      body,
    );
  if (cookie !== undefined) headers.cookie = `${headers.cookie}; ${String(cookie)}`;
  return { params, headers, fillIn };
}

/** The requests that the document shows as examples; one without a body where the route takes none. */
export async function exampleRequests(
  world: World,
  route: ListedRoute,
  member: Member,
  params: Params,
): Promise<InjectOptions[]> {
  const media = operationOf(world.document, route)?.requestBody?.content['application/json'];
  const bodies = route.body === null ? [null] : examplesOf(media);
  const requests: InjectOptions[] = [];
  for (const body of bodies) {
    const { headers, fillIn } = await prepare(world, route, member, params);
    const request = { method: route.method as 'GET', url: pathOf(route, params), headers };
    requests.push(
      body === null
        ? request
        : {
            ...request,
            headers: { ...headers, 'content-type': 'application/json' },
            payload: fillIn(JSON.stringify(body)),
          },
    );
  }
  return requests;
}

export async function exampleRequest(
  world: World,
  route: ListedRoute,
  member: Member,
  params: Params,
): Promise<InjectOptions> {
  const [request] = await exampleRequests(world, route, member, params);
  if (request === undefined) throw new Error(`${route.name} shows no example of its body`);
  return request;
}
