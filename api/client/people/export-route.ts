import { finished, Readable } from 'node:stream';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { pause, systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { createFairQueue } from '../../../engine/contract/concurrency/fair-queue.ts';
import { sendUnavailable } from '../../../engine/kit/http/errors.ts';
import { mostBytes } from '../../../engine/kit/http/most-bytes.ts';
import { sendFieldErrors, sendTooMany } from '../../../engine/kit/http/problem.ts';
import { actorOf, noteChange } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { ReadRefused } from '../../reads/refused.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { personText } from './export-text.ts';
import { takenInTime } from './in-time.ts';
import { config, refusalOf, tags } from './person.ts';
import { namesOf, personBody, personSchema } from './schema.ts';
import { findIds, findPerson, readStored } from './store.ts';

/** Each holds one piece, and 4 bytes for each subscription. */
const EXPORTS = { permits: 32, perOwner: 2 } as const;
const FULL_RETRY_SECONDS = 2;
/** For one piece: a client that takes none keeps others from a permit. */
const PIECE_DEADLINE_MS = 30_000;

export function exportRoute(
  scope: Scope,
  { database, analytics, reads }: Using<'database' | 'analytics' | 'reads'>,
): void {
  const queue = createFairQueue(EXPORTS);

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
          'Of one app. For admins; the audit log notes it, without the person. Without ClickHouse it answers 503: half an answer would look like a whole one. The answer is sent piece by piece, however long it is; one that breaks off, or of which nothing is taken for 30 s, is a broken connection. 2 at a time of one organization.',
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
      const permit = queue.tryAcquire(organizationId);
      if (permit === 'owner') return sendTooMany(reply, FULL_RETRY_SECONDS);
      if (permit === 'all') return sendUnavailable(reply);
      finished(reply.raw, permit);
      const asked = { organizationId, signal: whileWaiting(reply) };
      const patiently = <Row>(work: (sql: Sql) => Promise<Row>): Promise<Row> =>
        withPatience(asked.signal, () => reads.pass(asked, (query) => query(work)));
      const seqs = await reads.pass(asked, (query) => query((sql) => findPerson(sql, appId, request.body)));
      const named = async <Row extends { seq: number }>(rows: Promise<readonly Row[]>) => {
        const read = await rows;
        const ids = await patiently((sql) => findIds(sql, appId, [...new Set(read.map(({ seq }) => seq))]));
        return read.map(({ seq, ...row }) => ({ subscription_id: ids.get(seq) ?? 0, ...row }));
      };
      // Before anything is sent: whether ClickHouse answers.
      if (seqs.length > 0)
        await analytics.personAttempts(appId, [...seqs.subarray(0, 1)], { limit: 1, offset: 0 });
      const [namedBy = 'endpoint'] = namesOf(request.body);
      await noteChange(database, actorOf(request), {
        action: 'person.exported',
        subjectId: identifier,
        appId,
        detail: { named_by: namedBy, subscriptions: seqs.length },
      });
      const text = personText({
        seqs,
        readStored: async (part) =>
          (await patiently((sql) => readStored(sql, appId, part))).map(({ stored }) => stored),
        readAttempts: (part, from) => named(analytics.personAttempts(appId, part, from)),
        readEvents: (part, from) => named(analytics.personEvents(appId, part, from)),
      });
      const stream: Readable = Readable.from(
        takenInTime(text, PIECE_DEADLINE_MS, (error) => stream.destroy(error)),
        { highWaterMark: 1 },
      );
      return reply.type('application/json; charset=utf-8').send(stream as never);
    },
  );
}

/**
 * A long export may use up the time that an organization has for reads in a minute: it waits for the next one, like
 * every other reader of it, as long as its client does.
 */
async function withPatience<Result>(signal: AbortSignal, read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ReadRefused) || signal.aborted) throw error;
      await pause(systemClock, error.retryAfterSeconds * 1_000, signal);
      signal.throwIfAborted();
    }
  }
}
