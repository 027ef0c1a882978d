import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { insertRunByHand, MOST_RUNS_A_DAY } from '../../engine/adapters/postgres/report-schedules/fire.ts';
import { listRuns, restartRun } from '../../engine/adapters/postgres/report-schedules/runs.ts';
import {
  colleaguesAmong,
  type Destination,
  findSchedule,
  insertSchedule,
  listSchedules,
  MOST_SCHEDULES,
  type ReportSchedule,
  removeSchedule,
  resumeSchedule,
  scheduleContext,
  stopSchedule,
} from '../../engine/adapters/postgres/report-schedules/schedules.ts';
import { findSavedReport, type SavedReport } from '../../engine/adapters/postgres/saved-reports/saved.ts';
import type { Sealer } from '../../engine/adapters/postgres/sealed-secret.ts';
import { nextFiring } from '../../engine/campaigns/rules/firings.ts';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { dayText, todayIn } from '../../engine/contract/days.ts';
import { zoneName } from '../../engine/contract/time-zone.ts';
import { sendNotFound } from '../../engine/kit/http/problem.ts';
import { callerOf } from '../access/caller.ts';
import { sendInvalid } from '../problems.ts';
import { isNeverOver, zoneOf } from '../saved/days.ts';
import { forbiddenWords } from '../saved/routes.ts';
import { cronOf } from './firings.ts';
import type { ScheduleRequest } from './request.ts';
import {
  createSchema,
  listSchema,
  pauseSchema,
  removeSchema,
  repeatSchema,
  resumeSchema,
  runsSchema,
  showSchema,
  startSchema,
} from './schema.ts';

export interface ScheduleRoutesDeps {
  readonly database: Pick<Database, 'query' | 'transaction'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Null: the operator has not set up what they need. */
  readonly schedules: { readonly sealer: Sealer; readonly hasMail: boolean; wake(): void } | null;
}

const notSetUp = {
  message:
    'No schedules are set up. The operator sets MASTER_KEY, REPORTING_BASE_URL, and REPORT_JOBS_FOLDER or REPORT_JOBS_BUCKET_URL for the reporting role.',
} as const;
const fullWords = `The organization has ${MOST_SCHEDULES} schedules. Delete some that you no longer need.`;
const SECRET_BYTES = 32;

type OneRequest = FastifyRequest<{ Params: { id: number } }>;
type RunRequest = FastifyRequest<{ Params: { id: number; run: number } }>;

export function scheduleRoutes(scope: FastifyInstance, deps: ScheduleRoutesDeps): void {
  const { database, schedules } = deps;
  const find = (request: OneRequest): Promise<ReportSchedule | null> =>
    findSchedule(database, callerOf(request).userId, request.params.id);

  scope.post(
    '/reports/schedules',
    { schema: createSchema },
    (request: FastifyRequest<{ Body: ScheduleRequest }>, reply) => createSchedule(deps, request, reply),
  );
  scope.get('/reports/schedules', { schema: listSchema }, async (request) => ({
    status: 'success',
    data: await listSchedules(database, callerOf(request).userId),
    meta: { available: schedules !== null, email: schedules?.hasMail ?? false },
  }));
  scope.get('/reports/schedules/:id', { schema: showSchema }, async (request: OneRequest, reply) => {
    const found = await find(request);
    return found === null ? sendNotFound(reply) : { status: 'success', data: found };
  });
  scope.delete('/reports/schedules/:id', { schema: removeSchema }, async (request: OneRequest, reply) => {
    const found = await find(request);
    if (found === null) return sendNotFound(reply);
    if (!found.may_change) return sendForbidden(reply);
    await removeSchedule(database, found.id);
    return reply.code(204).send();
  });
  scope.post('/reports/schedules/:id/pause', { schema: pauseSchema }, (request: OneRequest, reply) =>
    pauseOrResume(deps, request, reply, 'pause'),
  );
  scope.post('/reports/schedules/:id/resume', { schema: resumeSchema }, (request: OneRequest, reply) =>
    pauseOrResume(deps, request, reply, 'resume'),
  );
  scope.get('/reports/schedules/:id/runs', { schema: runsSchema }, async (request: OneRequest, reply) => {
    const found = await find(request);
    if (found === null) return sendNotFound(reply);
    return { status: 'success', data: await listRuns(database, found.id) };
  });
  scope.post('/reports/schedules/:id/runs', { schema: startSchema }, (request: OneRequest, reply) =>
    startRun(deps, request, reply),
  );
  scope.post('/reports/schedules/:id/runs/:run', { schema: repeatSchema }, (request: RunRequest, reply) =>
    startRun(deps, request, reply, request.params.run),
  );
}

const sendForbidden = (reply: FastifyReply): FastifyReply =>
  reply.code(403).send({ message: forbiddenWords });

async function createSchedule(
  { database, clock, schedules }: ScheduleRoutesDeps,
  request: FastifyRequest<{ Body: ScheduleRequest }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (schedules === null) return reply.code(404).send(notSetUp);
  const { body } = request;
  const { userId, tokenId } = callerOf(request);
  const saved = await findSavedReport(database, userId, body.saved_id);
  if (saved === null) return sendInvalid(reply, { saved_id: ['There is no such saved report.'] });
  const errors = await faultsOf(body, saved);
  if (Object.keys(errors).length > 0) return sendInvalid(reply, errors);
  const zone = zoneName(body.timezone ?? 'UTC') ?? 'UTC';
  const now = new Date(clock.now());
  const nextAt = body.cron === undefined ? now : nextFiring(cronOf(body.cron, zone), now);
  if (nextAt === null) return sendInvalid(reply, { cron: ['The cron field names no further time.'] });
  const key = body.webhook === undefined ? null : randomBytes(SECRET_BYTES);
  const secret = key ?? body.bucket?.secret ?? null;
  const { sealer } = schedules;
  const made = await insertSchedule(database, userId, {
    ...{ savedId: saved.id, tokenId, cron: body.cron ?? null, zone, format: body.format ?? 'csv', nextAt },
    destination: destinationOf(body),
    seal: secret === null ? null : (id) => sealer.seal(secret, scheduleContext(id)),
  });
  if (made === 'forbidden') return sendForbidden(reply);
  if (made === 'full') return reply.code(409).send({ message: fullWords });
  const found = made === 'missing' ? null : await findSchedule(database, userId, made);
  if (found === null) return sendNotFound(reply);
  const shown = key === null ? found : { ...found, secret: `whsec_${key.toString('base64')}` };
  return reply
    .code(201)
    .header('location', `/api/v1/reports/schedules/${found.id}`)
    .send({ status: 'success', data: shown });

  async function faultsOf(
    { when_final, webhook, email, bucket }: ScheduleRequest,
    saved: SavedReport,
  ): Promise<Record<string, string[]>> {
    const isNeverFinal = when_final === true && isNeverOver(saved, clock.now());
    const known = new Set(
      (await colleaguesAmong(database, userId, email?.addresses ?? [])).map((each) => each.toLowerCase()),
    );
    const strangers = email?.addresses.filter((each) => !known.has(each.toLowerCase())) ?? [];
    const wrongUrl = (url: string | undefined): boolean => url !== undefined && !isPlainUrl(url);
    return {
      ...(isNeverFinal
        ? {
            when_final: [
              'The days of the report go up to today, which is never final: choose another period, or cron.',
            ],
          }
        : {}),
      ...(strangers.length > 0
        ? { 'email.addresses': [`${strangers.join(', ')}: nobody of the organization has this address.`] }
        : {}),
      ...(email !== undefined && schedules?.hasMail === false
        ? { email: ['The operator has set up no mail server (SMTP_URL).'] }
        : {}),
      ...(wrongUrl(webhook?.url) ? { 'webhook.url': [urlWords] } : {}),
      ...(wrongUrl(bucket?.url) ? { 'bucket.url': [urlWords] } : {}),
    };
  }
}

const urlWords = 'The URL must be https, without a password.';
function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '';
}

function destinationOf({ webhook, email, bucket }: ScheduleRequest): Destination {
  if (webhook !== undefined) return { kind: 'webhook', url: webhook.url };
  if (bucket !== undefined) {
    const { url, region = 'us-east-1', key_id } = bucket;
    return { kind: 'bucket', url: url.replace(/\/$/, ''), region, key_id };
  }
  return { kind: 'email', addresses: email?.addresses ?? [] };
}

/** Resumed by somebody else, it is theirs from then on: a schedule never has rights of a person who left it. */
async function pauseOrResume(
  { database, clock, schedules }: ScheduleRoutesDeps,
  request: OneRequest,
  reply: FastifyReply,
  what: 'pause' | 'resume',
): Promise<FastifyReply> {
  if (schedules === null) return reply.code(404).send(notSetUp);
  const { userId, tokenId } = callerOf(request);
  const found = await findSchedule(database, userId, request.params.id);
  if (found === null) return sendNotFound(reply);
  if (!found.may_change) return sendForbidden(reply);
  if (what === 'pause') await stopSchedule(database, found.id, pausedWords);
  else {
    const now = new Date(clock.now());
    const nextAt = found.cron === null ? now : nextFiring(cronOf(found.cron, found.timezone), now);
    if (nextAt === null) return reply.code(409).send({ message: 'Its cron line names no further time.' });
    await resumeSchedule(database, found.id, { userId, tokenId }, nextAt);
    schedules.wake();
  }
  const changed = await findSchedule(database, userId, found.id);
  return changed === null ? sendNotFound(reply) : reply.send({ status: 'success', data: changed });
}

const pausedWords = 'It was paused by hand.';

/** @param run a failed one, again; left out: a new one, as if the schedule fired now. */
async function startRun(
  { database, clock, schedules }: ScheduleRoutesDeps,
  request: OneRequest,
  reply: FastifyReply,
  run?: number,
): Promise<FastifyReply> {
  if (schedules === null) return reply.code(404).send(notSetUp);
  const { userId } = callerOf(request);
  const found = await findSchedule(database, userId, request.params.id);
  if (found === null) return sendNotFound(reply);
  if (!found.may_change) return sendForbidden(reply);
  let begun = run ?? null;
  if (run !== undefined) {
    if (!(await restartRun(database, found.id, run)))
      return reply.code(409).send({ message: 'Only a failed run of this schedule can be repeated.' });
  } else {
    const saved = await findSavedReport(database, userId, found.saved_id);
    const now = clock.now();
    const today = dayText(todayIn(saved === null ? 'UTC' : zoneOf(saved.request), now));
    const key = `by hand ${new Date(now).toISOString()}`;
    begun = await insertRunByHand(database, found.id, { key, today });
    if (begun === null)
      return reply
        .code(409)
        .send({ message: `The organization has had ${MOST_RUNS_A_DAY} runs in 24 hours. Try again later.` });
  }
  schedules.wake();
  const runs = await listRuns(database, found.id);
  return reply.code(202).send({ status: 'success', data: runs.filter(({ id }) => id === begun) });
}
