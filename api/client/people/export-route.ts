import { finished, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { sendUnavailable } from '../../../engine/adapters/http/errors.ts';
import { mostBytes } from '../../../engine/adapters/http/most-bytes.ts';
import { sendFieldErrors, sendTooMany } from '../../../engine/adapters/http/problem.ts';
import { createSemaphore } from '../../../engine/contract/semaphore.ts';
import { actorOf, noteChange } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import type { ClientDeps } from '../../ports/deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { appAnswers, dataOf, security } from '../answers.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import type { Scope } from '../scope.ts';
import { personText } from './export-text.ts';
import { config, refusalOf, tags, tooMany } from './person.ts';
import { personBody, personSchema } from './schema.ts';
import { findIds, findPerson, MOST_SUBSCRIPTIONS, readStored } from './store.ts';

/** Each holds the person's attempts and events until its client has taken them. */
const EXPORTS = { permits: 8, perOwner: 2 } as const;
const FULL_RETRY_SECONDS = 2;
/** A slower client keeps others from a permit. */
const ANSWER_DEADLINE_MS = 60_000;

export function exportRoute(scope: Scope, { database, analytics, reads }: ClientDeps): void {
  const semaphore = createSemaphore(EXPORTS);

  scope.post(
    '/apps/:identifier/people/export',
    {
      bodyLimit: mostBytes(personBody),
      config,
      schema: {
        tags,
        summary: 'Export what is stored about a person',
        operationId: 'exportPerson',
        description:
          'Of one app. For admins; the audit log notes it, without the person. Without ClickHouse it answers 503: half an answer would look like a whole one. The answer is sent piece by piece, within a minute; one that breaks off is a broken connection. 2 at a time of one organization.',
        security,
        params: appParams,
        body: personBody,
        response: appAnswers({ 200: dataOf(personSchema) }),
      },
    },
    async (request, reply) => {
      const wrong = refusalOf(request.body);
      if (wrong !== null) return sendFieldErrors(reply, wrong);
      const { id: appId, identifier } = appOf(request);
      const { organizationId } = callerOf(request);
      const permit = semaphore.tryAcquire(organizationId);
      if (permit === 'owner') return sendTooMany(reply, FULL_RETRY_SECONDS);
      if (permit === 'all') return sendUnavailable(reply);
      finished(reply.raw, permit);
      const asked = { organizationId, signal: whileWaiting(reply) };
      const found = await reads.pass(asked, (query) =>
        query(async (sql) => {
          const seqs = await findPerson(sql, appId, request.body);
          return seqs.length > MOST_SUBSCRIPTIONS ? null : findIds(sql, appId, seqs);
        }),
      );
      if (found === null) return sendFieldErrors(reply, tooMany(request.body));
      const seqs = [...found.keys()];
      const { attempts, events } =
        seqs.length === 0 ? { attempts: [], events: [] } : await analytics.personRecord(appId, seqs);
      await noteChange(database, actorOf(request), {
        action: 'person.exported',
        subjectId: identifier,
        appId,
        detail: { subscriptions: seqs.length },
      });
      const named = <Row extends { seq: number }>({ seq, ...row }: Row) => ({
        subscription_id: found.get(seq) ?? 0,
        ...row,
      });
      const text = personText({
        seqs,
        readStored: async (part) => {
          const rows = await reads.pass(asked, (query) => query((sql) => readStored(sql, appId, part)));
          return rows.map(({ stored }) => stored);
        },
        attempts: attempts.map(named),
        events: events.map(named),
      });
      return sendInTime(reply, Readable.from(text));
    },
  );
}

/** Ends a slow one by a broken connection, which no client takes for a whole answer. */
function sendInTime(reply: FastifyReply, stream: Readable): FastifyReply {
  const late = setTimeout(
    () => stream.destroy(new Error('a person’s export was not taken in time')),
    ANSWER_DEADLINE_MS,
  );
  // Fastify closes it if the client disconnects. One more listener on the answer itself, and Node warns of a leak.
  stream.once('close', () => clearTimeout(late));
  return reply.type('application/json; charset=utf-8').send(stream);
}
