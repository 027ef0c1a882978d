import type { FastifyBaseLogger } from 'fastify';
import { Type } from 'typebox';
import type { RecordedAttempt } from '../../../../engine/adapters/clickhouse/analytics.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { GUARD_WINDOW_MINUTES } from '../../../../engine/contract/chrome-guard.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import { sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { logFailure } from '../../../../engine/kit/roles/log-failure.ts';
import { callerOf } from '../../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import { parsePathId, timestamp, timestampOrNull } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import { AnalyticsAway, type AnalyticsPort } from '../../../ports/analytics.ts';
import type { Using } from '../../../ports/deps.ts';
import { whileWaiting } from '../../../reads/reads.ts';
import { appOf } from '../../own-app.ts';
import { readSamePerson } from '../../subscriptions/same-person.ts';
import { deliveryParams, parseDeliveryId } from '../params.ts';
import { decideTrace, isOpen, isPastKeeping } from './trace.ts';
import { type AttemptResource, type Decision, type TraceResource, traceSchema } from './trace-schema.ts';
import { matchesNow, readCappingDeliveries, readTraceFacts, type TraceFacts } from './trace-store.ts';

const traceParams = Type.Object({
  ...deliveryParams.properties,
  subscription_id: Type.String({ maxLength: 255, description: 'The subscription’s id.', examples: ['4711'] }),
});

export function traceRoute(scope: Scope, deps: Using<'reads' | 'analytics'>): void {
  scope.get(
    '/apps/:identifier/deliveries/:delivery_id/subscriptions/:subscription_id',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Explain the result for one subscription',
        operationId: 'traceDelivery',
        description: 'Whether the delivery was for this subscription, and what happened to it and why.',
        security,
        params: traceParams,
        response: appAnswers({ 200: dataOf(traceSchema) }),
      },
    },
    async (request, reply) => {
      const { delivery_id, subscription_id } = request.params;
      const { organizationId } = callerOf(request);
      const app = appOf(request);
      const deliveryId = parseDeliveryId(delivery_id);
      const subscriptionId = parsePathId(subscription_id);
      if (deliveryId === null || subscriptionId === null) return sendNotFound(reply);
      // Few rows of Postgres, but a scan of ClickHouse's rows of the delivery.
      const asked = { organizationId, signal: whileWaiting(reply) };
      const data = await deps.reads.pass(asked, (query) =>
        query((sql) => readTrace(sql, deps.analytics, request.log, app.id, deliveryId, subscriptionId)),
      );
      return data === null ? sendNotFound(reply) : { data };
    },
  );
}

async function readTrace(
  sql: Sql,
  analytics: AnalyticsPort,
  log: FastifyBaseLogger,
  appId: AppId,
  deliveryId: DeliveryId,
  subscriptionId: number,
): Promise<TraceResource | null> {
  const facts = await readTraceFacts(sql, appId, deliveryId, subscriptionId);
  if (facts === null) return null;
  const attempts = await answerOrNull(log, () => analytics.attemptsOf(appId, deliveryId, facts.seq));
  const asked = facts.in_audience === true || (await matchesNow(sql, appId, facts.seq, facts.audience));
  const keptDays = attempts?.length === 0 ? await keptDaysWherePast(analytics, log, facts) : null;
  const verdict = decideTrace(facts, { matchesNow: asked, attempts, keptDays });
  const windowMinutes = facts.guarded ? GUARD_WINDOW_MINUTES : facts.wished ? facts.own_window_minutes : null;
  const capping = facts.capped
    ? await readCappingDeliveries(sql, appId, deliveryId, facts.seq, windowMinutes)
    : [];
  return {
    delivery_id: deliveryId,
    subscription_id: subscriptionId,
    ...verdict,
    retry_at: verdict.decision === 'waiting_for_retry' ? timestampOrNull(facts.due_at) : null,
    tried_until: isOpen(verdict.decision) ? timestampOrNull(facts.wanted_until) : null,
    capped_by: capping.map(({ started_at, ...rest }) => ({
      ...rest,
      started_at: timestampOrNull(started_at),
    })),
    same_person: await readOthers(sql, appId, deliveryId, subscriptionId),
    attempts_known: attempts !== null && keptDays === null,
    attempts: (attempts ?? []).map(attemptResource),
  };
}

/** The results of the person's other browsers: without the attempts, which each has on its own page. */
async function readOthers(
  sql: Sql,
  appId: AppId,
  deliveryId: DeliveryId,
  subscriptionId: number,
): Promise<TraceResource['same_person']> {
  const others: { subscription_id: number; decision: Decision }[] = [];
  for (const { id } of await readSamePerson(sql, appId, subscriptionId)) {
    const facts = await readTraceFacts(sql, appId, deliveryId, id);
    if (facts === null) continue;
    const { decision } = decideTrace(facts, { matchesNow: false, attempts: null, keptDays: null });
    others.push({ subscription_id: id, decision });
  }
  return others;
}

/** Postgres has the decision: an outage of ClickHouse only hides the attempts. */
async function answerOrNull<Answer>(
  log: FastifyBaseLogger,
  read: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AnalyticsAway)) throw error;
    logFailure(log, error, 'attempts are not known: ClickHouse is unavailable');
    return null;
  }
}

/** Asked only where nothing was found. */
async function keptDaysWherePast(
  analytics: AnalyticsPort,
  log: FastifyBaseLogger,
  facts: TraceFacts,
): Promise<number | null> {
  const keptDays = await answerOrNull(log, () => analytics.attemptsKeptDays());
  return isPastKeeping(facts, keptDays, Date.now()) ? keptDays : null;
}

const attemptResource = (attempt: RecordedAttempt): AttemptResource => ({
  attempt: attempt.attempt,
  at: timestamp(attempt.at),
  outcome: attempt.outcome,
  http_status: attempt.status === 0 ? null : attempt.status,
  push_service: attempt.status === 0 && attempt.failure === 'none' ? null : attempt.pushService,
  latency_ms: attempt.latencyMs,
  may_have_arrived: attempt.failure === 'unknown',
});
