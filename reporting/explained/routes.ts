import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  listMutes,
  MOST_MUTES,
  removeMute,
  writeMute,
} from '../../engine/adapters/postgres/explained/mutes.ts';
import { removeNote, writeNote } from '../../engine/adapters/postgres/explained/notes.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { shownDomain, storedDomain } from '../../engine/contract/domain-names.ts';
import { callerOf } from '../access/caller.ts';
import type { WaitForPermit } from '../access/wait-for-permit.ts';
import type { Refused } from '../generate/prepare.ts';
import { sendInvalid, sendWithoutRate } from '../problems.ts';
import { accessOf } from '../report/access.ts';
import {
  type AnomalyRequest,
  anomaliesSchema,
  type MuteRequest,
  muteSchema,
  mutesSchema,
} from './anomalies/schema.ts';
import {
  type DiscrepancyRequest,
  discrepanciesSchema,
  type NoteRequest,
  noteSchema,
  sourcesSchema,
} from './discrepancies/schema.ts';
import type { Explain } from './explain.ts';
import type { Asker } from './known.ts';

export interface ExplainRoutesDeps {
  readonly sql: Sql;
  readonly explain: Explain;
  readonly waitForPermit: WaitForPermit;
}

type WithBody<Body> = FastifyRequest<{ Body: Body }>;

/** Questions that cost what a report costs, and are counted and queued as one. */
export function explainRoutes(scope: FastifyInstance, deps: ExplainRoutesDeps): void {
  const { explain } = deps;
  scope.post(
    '/reports/discrepancies',
    { schema: discrepanciesSchema },
    (request: WithBody<DiscrepancyRequest>, reply) =>
      permitted(deps, request, reply, async (asker, signal) => {
        const made = await explain.compareSources(request.body, asker, signal);
        if (made.kind !== 'compared') return sendRefused(reply, made);
        // Serialized already, digit by digit.
        return reply.type('application/json; charset=utf-8').serializer(String).send(made.json);
      }),
  );
  scope.post('/reports/anomalies', { schema: anomaliesSchema }, (request: WithBody<AnomalyRequest>, reply) =>
    permitted(deps, request, reply, async (asker, signal) => {
      const made = await explain.findAnomalies(request.body, asker, signal);
      if (made.kind !== 'found') return sendRefused(reply, made);
      const { data, meta } = made;
      return reply
        .type('application/json; charset=utf-8')
        .serializer(JSON.stringify)
        .send({ status: 'success', data, meta });
    }),
  );
}

/** Small questions and what people write, counted apart from reports. */
export function explainNoteRoutes(scope: FastifyInstance, deps: ExplainRoutesDeps): void {
  const { explain, sql } = deps;
  scope.get('/reports/discrepancies/sources', { schema: sourcesSchema }, (request, reply) =>
    permitted(deps, request, reply, async (asker, signal) => ({
      status: 'success',
      data: await explain.sources(asker, signal),
    })),
  );
  scope.post(
    '/reports/discrepancies/notes',
    { schema: noteSchema },
    (request: WithBody<NoteRequest>, reply) =>
      permitted(deps, request, reply, (asker, signal) => note(deps, request.body, reply, asker, signal)),
  );
  scope.get('/reports/anomalies/mutes', { schema: mutesSchema }, (request, reply) =>
    permitted(deps, request, reply, async (asker, signal) => {
      const mutes = await explain.seen(asker, await listMutes(sql, asker.userId), signal);
      return { status: 'success', data: mutes.map(shownMute) };
    }),
  );
  scope.post('/reports/anomalies/mutes', { schema: muteSchema }, (request: WithBody<MuteRequest>, reply) =>
    permitted(deps, request, reply, (asker, signal) => mute(deps, request.body, reply, asker, signal)),
  );
}

const notSeen = (field: string) => ({
  [field]: ['Your token sees no such row: write it as a row of the answer has it.'],
});

async function note(
  { sql, explain }: ExplainRoutesDeps,
  { reason, version, ...given }: NoteRequest,
  reply: FastifyReply,
  asker: Asker,
  signal: AbortSignal,
) {
  const row = { ...given, domain: storedDomain(given.domain) };
  if (!(await explain.sees(asker, row, signal))) return sendInvalid(reply, notSeen('domain'));
  if (reason === null)
    return (await removeNote(sql, asker.userId, row, version))
      ? { status: 'success', data: null }
      : sendChanged(reply);
  const written = await writeNote(sql, asker.userId, row, { reason: reason.trim(), version });
  return written === null ? sendChanged(reply) : { status: 'success', data: written };
}

const sendChanged = (reply: FastifyReply): FastifyReply =>
  reply.code(409).send({ message: 'This note was changed meanwhile. Read it again, then write yours.' });

async function mute(
  { sql, explain }: ExplainRoutesDeps,
  { until, reason = '', domain, product, country }: MuteRequest,
  reply: FastifyReply,
  asker: Asker,
  signal: AbortSignal,
) {
  const series = { domain: storedDomain(domain), product, country };
  if ((await explain.seen(asker, [series], signal)).length === 0)
    return sendInvalid(reply, notSeen('domain'));
  if (until === null) {
    await removeMute(sql, asker.userId, series);
    return { status: 'success', data: null };
  }
  const written = await writeMute(sql, asker.userId, series, { until, reason: reason.trim() });
  if (written !== null) return { status: 'success', data: shownMute(written) };
  const most = MOST_MUTES.toLocaleString('en-US');
  return sendInvalid(reply, { domain: [`Your organization has ${most} muted series: end some of them.`] });
}

const shownMute = <Given extends { readonly domain: string }>(given: Given): Given => ({
  ...given,
  domain: shownDomain(given.domain),
});

const sendRefused = (reply: FastifyReply, refused: Refused): FastifyReply =>
  refused.kind === 'refused' ? sendInvalid(reply, refused.errors) : sendWithoutRate(reply, refused.missing);

/** Within a report's permit, and until the client disconnects. */
async function permitted(
  { waitForPermit }: ExplainRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (asker: Asker, signal: AbortSignal) => Promise<unknown>,
) {
  const caller = callerOf(request);
  const leave = await waitForPermit(caller, reply);
  if (leave === null) return reply;
  const gone = new AbortController();
  const unwatch = finished(reply.raw, () => gone.abort());
  try {
    return await answer({ access: accessOf(caller.scope), userId: caller.userId }, gone.signal);
  } finally {
    unwatch();
    leave();
  }
}
