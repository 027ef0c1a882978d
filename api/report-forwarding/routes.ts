import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { insertReportPass, PASS_SECONDS } from '../../engine/adapters/postgres/report-passes.ts';
import { createFairQueue, shareOfOne } from '../../engine/contract/concurrency/fair-queue.ts';
import { sendUnavailable } from '../../engine/kit/http/errors.ts';
import { sendTooMany } from '../../engine/kit/http/problem.ts';
import { hashSecret, newSecret } from '../../engine/kit/http/token.ts';
import { type AuthenticatorDeps, createAuthenticator } from '../auth/authenticate.ts';
import { callerOf } from '../auth/caller.ts';
import { registerCookies } from '../auth/session-cookie.ts';
import type { ApiConfig } from '../settings/config.ts';
import { createForwardReport, type ForwardReport } from './forward.ts';
import { FROM_REPORTING, passOn } from './pass-on.ts';

/** As the reporting API has it. */
const BODY_LIMIT_BYTES = 1_048_576;
/** Each holds a body of up to 1 MB, then a connection to the reporting API, where slow ones queue in turn. */
const REPORTS = { permits: 24, perOwner: 5, perGroup: shareOfOne(24) } as const;
const FULL_RETRY_SECONDS = 2;
/** A slower client keeps others from a permit. */
const ANSWER_DEADLINE_MS = 5 * 60_000;
/** Longer ones are none: a token has about sixty characters. */
const MOST_TOKEN_CHARACTERS = 256;

const notSetUp = {
  message: 'No reporting service is set up: REPORTING_URL names where the API finds it.',
} as const;

type ForwardingDeps = AuthenticatorDeps & { readonly config: Pick<ApiConfig, 'reportingUrl'> };

/**
 * The proxy from the page to the reporting API, which listens elsewhere and has tokens of its own: the page
 * makes no third-party requests. For logged-in users; the reporting API decides what the report's token may
 * see.
 */
export async function reportForwarding(app: FastifyInstance, deps: ForwardingDeps): Promise<void> {
  const { reportingUrl } = deps.config;
  const forward = reportingUrl === null ? null : createForwardReport(reportingUrl);
  await app.register(async (scope) => {
    await registerCookies(scope);
    admitSessions(scope, deps, forward !== null);
    // Passed on unparsed: the reporting API validates it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    for (const route of forwardedRoutes) {
      scope.route<{ Body: Buffer | undefined; Params: JobParams; Querystring: FeedQuery }>({
        method: route.method,
        url: `/dashboard/reports${route.url}`,
        schema: {
          hide: true,
          ...(route.params === undefined ? {} : { params: route.params }),
          ...(route.query === undefined ? {} : { querystring: route.query }),
        },
        bodyLimit: BODY_LIMIT_BYTES,
        handler: (request, reply) =>
          forward === null
            ? sendNotSetUp(reply)
            : forwardOne({ forward, sql: deps.database, route }, request, reply),
      });
    }
  });
}

interface JobParams {
  readonly id: number;
  readonly part: number;
  readonly run: number;
}

interface FeedQuery {
  readonly cursor?: string;
}

interface ForwardedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** Below `/reports` of the reporting API. */
  readonly pathOf: (params: JobParams, query: FeedQuery) => string;
}

/** Of the feed at a time. */
const FEED_ROWS = 50;
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const idParams = Type.Object({ id: whole });
const forwardedRoutes: readonly ForwardedRoute[] = [
  { method: 'POST', url: '/generate', pathOf: () => '/generate' },
  ...(
    [
      ['POST', '/discrepancies'],
      ['GET', '/discrepancies/sources'],
      ['POST', '/discrepancies/notes'],
      ['POST', '/anomalies'],
      ['GET', '/anomalies/mutes'],
      ['POST', '/anomalies/mutes'],
    ] as const
  ).map(([method, url]) => ({ method, url, pathOf: () => url })),
  {
    method: 'GET',
    url: '/restatements',
    query: Type.Object({ cursor: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })) }),
    pathOf: (_, { cursor }) =>
      `/restatements?limit=${FEED_ROWS}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
  },
  { method: 'POST', url: '/jobs', pathOf: () => '/jobs' },
  { method: 'GET', url: '/jobs', pathOf: () => '/jobs' },
  { method: 'DELETE', url: '/jobs/:id', params: idParams, pathOf: ({ id }) => `/jobs/${id}` },
  {
    method: 'GET',
    url: '/jobs/:id/parts/:part',
    params: Type.Object({ id: whole, part: whole }),
    pathOf: ({ id, part }) => `/jobs/${id}/parts/${part}`,
  },
  { method: 'GET', url: '/schedules', pathOf: () => '/schedules' },
  { method: 'POST', url: '/schedules', pathOf: () => '/schedules' },
  { method: 'DELETE', url: '/schedules/:id', params: idParams, pathOf: ({ id }) => `/schedules/${id}` },
  ...(
    [
      ['GET', 'runs'],
      ['POST', 'runs'],
      ['POST', 'pause'],
      ['POST', 'resume'],
    ] as const
  ).map(([method, what]) => ({
    ...{ method, url: `/schedules/:id/${what}`, params: idParams },
    pathOf: ({ id }: JobParams) => `/schedules/${id}/${what}`,
  })),
  {
    method: 'POST',
    url: '/schedules/:id/runs/:run',
    params: Type.Object({ id: whole, run: whole }),
    pathOf: ({ id, run }) => `/schedules/${id}/runs/${run}`,
  },
  { method: 'GET', url: '/saved', pathOf: () => '/saved' },
  { method: 'POST', url: '/saved', pathOf: () => '/saved' },
  { method: 'PUT', url: '/saved/:id', params: idParams, pathOf: ({ id }) => `/saved/${id}` },
  { method: 'DELETE', url: '/saved/:id', params: idParams, pathOf: ({ id }) => `/saved/${id}` },
];

/** Admits logged-in users, each with a share of the permits, acquired before the body is read: so bodies are bounded. */
function admitSessions(scope: FastifyInstance, deps: AuthenticatorDeps, isSetUp: boolean): void {
  const authenticator = createAuthenticator(deps);
  const queue = createFairQueue(REPORTS);
  scope.decorateRequest('caller', null);
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const admission = await authenticator.bySession(request, reply);
    if (admission === null) return reply;
    request.caller = admission.caller;
    if (!isSetUp) return sendNotSetUp(reply);
    const { userId, organizationId } = callerOf(request);
    const permit = queue.tryAcquire(userId, organizationId);
    if (permit === 'owner') return sendTooMany(reply, FULL_RETRY_SECONDS);
    if (permit === 'all') return sendUnavailable(reply);
    finished(reply.raw, permit);
  });
}

const sendNotSetUp = (reply: FastifyReply): FastifyReply => reply.code(404).send(notSetUp);

interface Forwarding {
  readonly forward: ForwardReport;
  readonly sql: Database;
  readonly route: ForwardedRoute;
}

/** With a pass of the user who is logged in: questions of this page use none of the token's five a minute. */
async function forwardOne(
  { forward, sql, route }: Forwarding,
  request: FastifyRequest<{ Body: Buffer | undefined; Params: JobParams; Querystring: FeedQuery }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const pass = newSecret();
  if (!(await insertReportPass(sql, callerOf(request).userId, hashSecret(pass))))
    return sendTooMany(reply, PASS_SECONDS);
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), ANSWER_DEADLINE_MS);
  finished(reply.raw, () => {
    clearTimeout(late);
    stop.abort();
  });
  const token = tokenOf(request);
  const path = route.pathOf(request.params, request.query);
  const forwarded = await forward({
    ...{ method: route.method, path, token, pass, signal: stop.signal },
    body: request.body ?? null,
    acceptEncoding: String(request.headers['accept-encoding'] ?? 'identity'),
  });
  if (forwarded.kind === 'away') {
    request.log.warn({ err: forwarded.error }, 'the reporting API does not answer');
    return sendUnavailable(reply.header(FROM_REPORTING, 'away'));
  }
  return passOn(request, reply, forwarded.answer, path !== '/generate');
}

/** In a header of its own: the API would read `Authorization` as one of its own tokens. */
function tokenOf({ headers }: FastifyRequest): string | null {
  const given = headers['x-report-token'];
  return typeof given === 'string' && given !== '' && given.length <= MOST_TOKEN_CHARACTERS ? given : null;
}
