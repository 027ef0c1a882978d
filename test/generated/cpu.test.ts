// tier: system

import { Readable } from 'node:stream';
import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { writeGrants } from '../../api/auth/grant-store.ts';
import { bearer, createMember, type Member } from '../api/support.ts';
import { createReportToken, createTestReporting } from '../reporting/support.ts';
import { someOf } from '../support/cases.ts';
import { leastCpuMs } from '../support/least-ms.ts';
import { appIdOf } from '../support/subscriptions.ts';
import { byName, collectRoutes, type ListedRoute } from './routes.ts';
import { exampleRequest } from './sending.ts';
import { createWorld, makeParams } from './world.ts';
import {
  headerNames,
  queryNames,
  runOf,
  textFields,
  withValue,
  worstBodies,
  worstForms,
  worstParts,
} from './worst.ts';

/** What one request may cost: the CPU of the thread that all others wait for. */
const MOST_MS = 20;

const world = await createWorld();
const { api, owner, stranger } = world;
afterAll(() => api.close());

const author = await createMember(api.database, { role: 'guest', organizationId: owner.organizationId });
const viewer = await createMember(api.database, { role: 'reader', organizationId: owner.organizationId });

type Inject = (request: InjectOptions) => Promise<{ readonly statusCode: number }>;
let address = 0;
/** Limits by address have tests of their own. */
const sendHere: Inject = (request) =>
  api.app.inject({
    ...request,
    ...(isForm(request) ? { payload: Readable.from(piecesOf(Buffer.from(String(request.payload)))) } : {}),
    remoteAddress: `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address++ & 255}`,
  });

const isForm = ({ headers }: InjectOptions): boolean =>
  String(headers?.['content-type']).startsWith('multipart/form-data');

/** As a socket hands them on. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** @returns what was over the limit, each in words. */
async function slowAmong(
  send: Inject,
  requests: readonly (readonly [words: string, request: InjectOptions])[],
): Promise<string[]> {
  const slow: string[] = [];
  for (const [words, request] of requests) {
    const ms = await leastCpuMs(() => send(request), MOST_MS);
    if (ms >= MOST_MS) slow.push(`${words}: ${Math.round(ms)} ms`);
  }
  return slow;
}

const json = (request: InjectOptions, payload: string): InjectOptions => ({
  ...request,
  headers: { ...request.headers, 'content-type': 'application/json' },
  payload,
});

const bodyOf = ({ payload }: InjectOptions): unknown =>
  typeof payload === 'string' ? JSON.parse(payload) : {};

type Named = readonly [words: string, request: InjectOptions];

const inTurn = <Row>(rows: readonly Row[], at: number): Row[] => [
  ...rows.slice(at % rows.length),
  ...rows.slice(0, at % rows.length),
];
/** In a quick run a field or a route has a sixth of the parts, and its neighbours the others; so it is with members. */
const partsOf = (at: number): readonly string[] => someOf(inTurn(worstParts, at % 6), 6);

/** Each text at its limit, behind what makes it right, so that what reads valid ones sees it too. */
function fullTexts({ body }: ListedRoute, request: InjectOptions): Named[] {
  const example = bodyOf(request);
  return textFields(body ?? {}, example).flatMap(({ path, most }, at) =>
    partsOf(at).map((part): Named => {
      const start = most >= 2_000 ? 'https://news.example.com/' : 'a';
      const text = start + runOf(part, Math.max(0, most - start.length));
      return [
        `${path.join('.')} of ${JSON.stringify(part)}`,
        json(request, JSON.stringify(withValue(example, path, text))),
      ];
    }),
  );
}

const KILOBYTES_60 = 60_000;
const MEGABYTE = 1_048_576;

/** All texts at once, each far beyond its limit. */
function longTexts(
  { body }: ListedRoute,
  request: InjectOptions,
  bytes: number,
  parts: readonly string[],
): Named[] {
  const fields = textFields(body ?? {}, bodyOf(request));
  const room = Math.floor(bytes / Math.max(1, fields.length));
  return parts.map((part): Named => {
    const text = runOf(part, room);
    const value = fields.reduce((made, { path }) => withValue(made, path, text), bodyOf(request));
    return [`texts of ${JSON.stringify(part)}, ${bytes} bytes`, json(request, JSON.stringify(value))];
  });
}

/** 60 KB are read. 1 MB is mostly refused by its length, whatever it holds: then once is enough. */
async function allLongTexts(
  send: Inject,
  route: ListedRoute,
  request: InjectOptions,
  parts = worstParts,
): Promise<Named[]> {
  const [first = '', ...others] = parts;
  const huge = longTexts(route, request, MEGABYTE, [first]);
  const isRead = (await Promise.all(huge.map(([, each]) => send(each)))).some(
    ({ statusCode }) => statusCode !== 413,
  );
  return [
    ...longTexts(route, request, KILOBYTES_60, parts),
    ...huge,
    ...(isRead ? longTexts(route, request, MEGABYTE, others) : []),
  ];
}

const oddBodies = (request: InjectOptions): Named[] =>
  worstBodies.map((payload): Named => [`a body of ${payload.slice(0, 12)}…`, json(request, payload)]);

const oddForms = (request: InjectOptions): Named[] =>
  worstForms.map(
    ({ headers, payload }, n): Named => [
      `form ${n}`,
      {
        ...request,
        headers: { ...request.headers, ...headers },
        ...(payload === undefined ? {} : { payload }),
      },
    ],
  );

function oddHeaders(request: InjectOptions): Named[] {
  return headerNames.flatMap((name) =>
    ['/', ' ', ',', ';', '"', '=', '%', 'a', '-', '1.', '(', 'en-US,'].flatMap((part) =>
      [12_000, 1_048_576].map(
        (length): Named => [
          `${name} of ${JSON.stringify(part)}, ${length} characters`,
          { ...request, headers: { ...request.headers, [name]: `a${runOf(part, length)}a` } },
        ],
      ),
    ),
  );
}

function oddQueries(route: ListedRoute, request: InjectOptions): Named[] {
  const path = String(request.url).split('?')[0];
  const whole = [
    runOf('&a=', 15_000),
    runOf('%', 15_000),
    runOf('a[', 15_000),
    runOf('&page=1'),
    runOf('%2f'),
    runOf('&'),
  ];
  return [
    ...queryNames(route).flatMap((name, at) =>
      partsOf(at).map((part): [string, string] => [
        `${name} of ${JSON.stringify(part)}`,
        `${encodeURIComponent(name)}=${encodeURIComponent(runOf(part, 1_200).toWellFormed())}`,
      ]),
    ),
    ...whole.map((query): [string, string] => [`a query of ${query.slice(0, 8)}…`, query]),
  ].map(([words, query]): Named => [words, { ...request, url: `${path}?${query}` }]);
}

const asWhom = (request: InjectOptions, member: Member | null): InjectOptions => {
  const { authorization: _, cookie: __, ...headers } = (request.headers ?? {}) as Record<string, string>;
  return { ...request, headers: member === null ? headers : { ...headers, ...bearer(member.token) } };
};

async function grantAuthor(identifier: string | undefined): Promise<void> {
  if (identifier === undefined) return;
  const appId = await appIdOf(api.database, identifier);
  await writeGrants(api.database, author.userId, new Map([[appId, 'author']]));
}

const some = (requests: readonly Named[]): readonly Named[] => requests.filter((_, at) => at % 7 === 0);

/** One of each tier: headers are read before a route is chosen, or by its tier. */
const takesHeaders: ReadonlySet<string> = new Set([
  'POST /api/v1/client/apps/:identifier/deliveries',
  'GET /api/v1/client/apps/:identifier/subscriptions',
  'POST /api/v1/public/subscribe',
  'GET /api/v1/account/me',
]);
const takesForms: ReadonlySet<string> = new Set([
  'POST /api/v1/client/apps/:identifier/deliveries',
  'POST /api/v1/client/apps/:identifier/deliveries/test',
]);

const shown = world.routes.filter(({ hidden }) => !hidden);

describe(`a request costs less than ${MOST_MS} ms of the event loop, whatever it holds:`, () => {
  it.each(byName(shown))('%s', async (_name, route) => {
    await api.database.query('DELETE FROM request_hits');
    const params = await makeParams(world, owner, route);
    await grantAuthor(params.identifier);
    const request = await exampleRequest(world, route, owner, params);
    const place = shown.indexOf(route);
    const bodies =
      route.body === null
        ? []
        : [...(await allLongTexts(sendHere, route, request, partsOf(place))), ...oddBodies(request)];
    const full = route.body === null ? [] : fullTexts(route, request);
    const requests = [
      ...full,
      ...bodies,
      ...oddQueries(route, request),
      ...(takesHeaders.has(route.name) ? oddHeaders(request) : []),
      ...(takesForms.has(route.name) ? oddForms(request) : []),
    ];
    const slow = await slowAmong(sendHere, requests);
    if (route.url.startsWith('/api/v1/client'))
      for (const member of someOf(inTurn([null, stranger, viewer, author], place), 4))
        slow.push(
          ...(await slowAmong(
            sendHere,
            some([...full, ...bodies]).map(([words, each]): Named => [words, asWhom(each, member)]),
          )),
        );
    expect(slow).toEqual([]);
  });

  it('is tried with headers and forms on routes that are there', () => {
    const names = shown.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...takesHeaders, ...takesForms]));
  });

  it('reports', async () => {
    const reporting = await createTestReporting({ config: { reportRatePerMinute: 1_000_000 } });
    const token = await createReportToken(reporting.database);
    const app = reporting.another({ config: { reportRatePerMinute: 1_000_000 } });
    const routes = collectRoutes(app);
    await app.ready();
    const route = routes.find(({ hidden }) => !hidden);
    if (route === undefined) throw new Error('there is no report');
    const [example] = (route.body?.examples ?? []) as readonly object[];
    const request: InjectOptions = {
      method: 'POST',
      url: route.url,
      headers: bearer(token),
      payload: JSON.stringify(example),
    };
    const requests = [
      ...fullTexts(route, request),
      ...(await allLongTexts((each) => app.inject(each), route, request)),
      ...oddBodies(request),
      ...oddHeaders(request),
    ];
    expect(requests.length).toBeGreaterThan(200);
    expect(await slowAmong((each) => app.inject(each), requests)).toEqual([]);
    await reporting.close();
  });
});
