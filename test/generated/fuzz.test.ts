// tier: system
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { createAnswerCheck } from './answers.ts';
import { isOdd, type MadeUp, plainRequestTo, requestsTo, targetOf } from './requests.ts';
import { byName, type ListedRoute } from './routes.ts';
import { type Prepared, prepare } from './sending.ts';
import { watchChanges } from './snapshot.ts';
import { createWorld, makeParams } from './world.ts';

/**
 * Every route, with values generated from its own schema and the list of nasty values. A failure prints its
 * seed: `FUZZ_SEED=<seed> FUZZ_RUNS=<runs>` plays the same requests again.
 */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2_147_483_647);
const runs = Number(process.env.FUZZ_RUNS ?? 5);
/** The most that an answer may take; where the machine is busy with other things, of this process's CPU. */
const LIMIT_MS = 1_000;
const BUSY_LIMIT_MS = 20_000;

const world = await createWorld();
const takeChanges = await watchChanges(world.api.database, world.tables);
afterAll(() => world.api.close());

const { api, owner, stranger } = world;
const undocumented = createAnswerCheck(world.document);
/** What answers before a route is chosen. */
const early: ReadonlySet<number> = new Set([400, 404, 405, 414]);

type Sent = Awaited<ReturnType<typeof api.app.inject>>;

/** With what it changed, and nothing else did. */
async function sendTimed(
  request: InjectOptions,
): Promise<{ answer: Sent; tookMs: number; cpuMs: number; changes: string[] }> {
  await takeChanges();
  const start = performance.now();
  const cpuBefore = process.cpuUsage();
  const answer = await api.app.inject(request);
  const tookMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { answer, tookMs, cpuMs: (user + system) / 1_000, changes: await takeChanges() };
}

/** What a request needs, as the owner and as the stranger would send it. */
interface Senders {
  readonly owner: Prepared;
  readonly stranger: Prepared;
}

async function createSenders(route: ListedRoute): Promise<Senders> {
  // One user sends more here in a minute than any limit lets through; limits have tests of their own.
  await api.database.query(`DELETE FROM request_hits`);
  await keepSenders();
  const params = await makeParams(world, owner, route);
  return {
    owner: await prepare(world, route, owner, params),
    stranger: await prepare(world, route, stranger, params),
  };
}

/** The last admin of an organization cannot be removed: the sender must not remove themselves. */
async function keepSenders(): Promise<void> {
  await api.database.query(
    `UPDATE users SET role = 'member'
     WHERE role <> 'member' AND organization_id = ANY($1::integer[]) AND id <> ALL($2::integer[])`,
    [
      [owner.organizationId, stranger.organizationId],
      [owner.userId, stranger.userId],
    ],
  );
}

function requestOf(route: ListedRoute, made: MadeUp, senders: Senders): InjectOptions {
  const { params, fillIn } = senders.owner;
  const payload = made.body?.payload;
  return {
    method: route.method as 'GET',
    url: targetOf(route, made, params),
    // Wrong passwords and public requests are counted by address: each route has one of its own.
    remoteAddress: `127.0.0.${1 + world.routes.indexOf(route)}`,
    headers: {
      ...whoOf(made, senders),
      ...(made.accept === null ? {} : { accept: made.accept }),
      ...(made.body === null ? {} : { 'content-type': made.body.contentType }),
    },
    ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? fillIn(payload) : payload }),
  };
}

function whoOf({ who }: MadeUp, senders: Senders): Record<string, string> {
  switch (who) {
    case 'nobody':
      return {};
    case 'nonsense':
      return { authorization: 'Bearer 1|x', cookie: 'a=b; =; c', origin: 'null', 'x-app-id': '\xff' };
    default:
      return senders[who].headers;
  }
}

const isChange = ({ method }: ListedRoute): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/**
 * Intended traces of refusals: a wrong password is noted, after the answer so that its time reveals nothing, and wrong
 * codes are counted.
 */
const notedRefusals: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v1/account/log-in': ['INSERT audit_log'],
  'POST /api/v1/account/log-in/code': ['INSERT audit_log', 'UPDATE second_factors'],
  // The first answer uses a challenge up.
  'POST /api/v1/account/log-in/code/passkey': ['INSERT audit_log', 'DELETE passkey_challenges'],
  'POST /api/v1/account/log-in/passkey': ['DELETE passkey_challenges'],
  'POST /api/v1/account/me/passkeys': ['DELETE passkey_challenges'],
};

/** What of the answer is not as it should be. */
function faultsOf(route: ListedRoute, made: MadeUp, answer: Sent, changes: readonly string[]): string[] {
  const { statusCode, body } = answer;
  const refused = statusCode >= 400;
  const mayChange = !refused && isChange(route);
  const faults = mayChange
    ? []
    : changes
        .filter((change) => !notedRefusals[route.name]?.includes(change))
        .map((change) => `answered ${statusCode}, but ${change}`);
  if (statusCode >= 500) return [...faults, `answered ${statusCode}: ${body}`];
  if (route.method === 'HEAD') return body === '' ? faults : [...faults, 'HEAD was answered with a body'];
  // Whoever reads the documentation gets a page with the guides.
  if (statusCode === 404 && isOfDocs(route)) return [...faults, ...notAPage(body)];
  if (early.has(statusCode) && (isOdd(made) || route.hidden)) return [...faults, ...notOneMessage(body)];
  return route.hidden ? faults : [...faults, ...undocumented(route, answer)];
}

const isOfDocs = ({ url }: ListedRoute): boolean => url.startsWith('/docs/');
const notAPage = (body: string): string[] =>
  body.startsWith('<!doctype html>') ? [] : [`not a page: ${body}`];

function notOneMessage(body: string): string[] {
  const value: unknown = JSON.parse(body);
  const { message, ...others } = value as Record<string, unknown>;
  return typeof message === 'string' && Object.keys(others).length === 0 ? [] : [`not a problem: ${body}`];
}

/** Bodies are where most can go wrong; what is not of the API proper takes no input. */
const shareOf = ({ body, hidden }: ListedRoute): number => (hidden ? 0.2 : body === null ? 1 : 1.5);

describe(`made-up requests (FUZZ_SEED=${seed} FUZZ_RUNS=${runs})`, () => {
  it.each(byName(world.routes))(
    'to %s are answered soon, as documented, and change nothing when refused',
    async (_name, route) => {
      let senders = await createSenders(route);
      let accepted = 0;
      const property = fc.asyncProperty(requestsTo(route), async (made) => {
        const request = requestOf(route, made, senders);
        const { answer, tookMs, changes } = await sendTimed(request);
        expect(faultsOf(route, made, answer, changes)).toEqual([]);
        if (tookMs >= LIMIT_MS) {
          // Judged by itself: what the first one used up is gone.
          const again = await sendTimed(request);
          expect(faultsOf(route, made, again.answer, again.changes)).toEqual([]);
          expect(again.cpuMs).toBeLessThan(LIMIT_MS);
          expect(again.tookMs).toBeLessThan(BUSY_LIMIT_MS);
        }
        if (answer.statusCode >= 300) return;
        accepted++;
        // What was deleted, used up or logged out is no longer there for the next request.
        if (isChange(route)) senders = await createSenders(route);
      });
      const numRuns = Math.ceil(runs * shareOf(route));
      await fc.assert(property, {
        seed,
        numRuns,
        interruptAfterTimeLimit: 20_000,
        examples: [[plainRequestTo(route)]],
      });
      // Refusals alone would prove little: some of what is made up must be right.
      if (!route.hidden && runs >= 50) expect(accepted).toBeGreaterThan(0);
    },
  );
});
