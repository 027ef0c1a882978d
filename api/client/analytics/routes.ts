import type { FastifyRequest } from 'fastify';
import { sendNotFound } from '../../../engine/adapters/http/problem.ts';
import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { callerOf } from '../../auth/caller.ts';
import type { ClientDeps } from '../../deps.ts';
import { whoeverWaits } from '../../reads/reads.ts';
import { appAnswers, security } from '../answers.ts';
import { appParams } from '../apps/routes.ts';
import { findApp } from '../apps/store.ts';
import type { Scope } from '../scope.ts';
import { createReadDeliveries } from './deliveries.ts';
import { createReadEngagement } from './engagement.ts';
import { createReadFunnel } from './funnel-days.ts';
import { funnelStatsSchema } from './funnel-schema.ts';
import { createReadOverview } from './overview.ts';
import { type Period, periodOf } from './period.ts';
import { createRemember } from './remember.ts';
import { revenueRoute } from './revenue-route.ts';
import {
  DEFAULT_DAYS,
  deliveryStatsSchema,
  engagementSchema,
  overviewSchema,
  periodQuery,
  subscriberStatsSchema,
} from './schema.ts';
import { createReadServices } from './services.ts';
import { serviceStatsSchema } from './services-schema.ts';
import { createReadSubscribers } from './subscribers.ts';

const common = {
  tags: ['Analytics'],
  description: 'At most 5 minutes old.',
  security,
  params: appParams,
};
const config = { ability: 'analytics:read' } as const;

export function analyticsRoutes(scope: Scope, deps: ClientDeps): void {
  const { database, analytics, reads } = deps;
  const remember = createRemember(database);

  /** Null: no app of the caller’s. The app first: what is remembered of it is for nobody else. */
  async function answer<Answer extends object>(
    request: FastifyRequest,
    question: string,
    read: (sql: Sql, appId: AppId) => Promise<Answer>,
  ): Promise<Answer | null> {
    const { identifier } = request.params as { readonly identifier: string };
    const { organizationId } = callerOf(request);
    const app = await findApp(database, organizationId, identifier);
    if (app === null) return null;
    // Goes on when its client disconnects: the answer is kept for five minutes, and others may wait for it.
    const asked = { organizationId, signal: whoeverWaits };
    return remember(app.id, question, () => reads.pass(asked, (query) => query((sql) => read(sql, app.id))));
  }

  /** The day is part of the question: at midnight the period is another one. */
  function answerPeriod<Answer extends object>(
    request: FastifyRequest,
    question: string,
    read: (sql: Sql, appId: AppId, period: Period) => Promise<Answer>,
  ): Promise<Answer | null> {
    const { days = DEFAULT_DAYS } = request.query as { readonly days?: number };
    const period = periodOf(days, Date.now());
    return answer(request, `${question} ${days} ${period.firstDay}`, (sql, appId) =>
      read(sql, appId, period),
    );
  }

  scope.get(
    '/apps/:identifier/analytics/overview',
    {
      config,
      schema: {
        ...common,
        summary: 'Read an overview of an app',
        operationId: 'getAnalyticsOverview',
        response: appAnswers({ 200: overviewSchema }),
      },
    },
    async (request, reply) =>
      (await answer(request, 'overview by browser', (sql, appId) =>
        createReadOverview(sql, analytics)(appId),
      )) ?? sendNotFound(reply),
  );

  scope.get(
    '/apps/:identifier/analytics/subscribers',
    {
      config,
      schema: {
        ...common,
        summary: 'Read how an app’s subscribers grew',
        operationId: 'getSubscriberStatistics',
        querystring: periodQuery,
        response: appAnswers({ 200: subscriberStatsSchema }),
      },
    },
    async (request, reply) =>
      (await answerPeriod(request, 'subscribers', (sql, appId, period) =>
        createReadSubscribers(sql)(appId, period),
      )) ?? sendNotFound(reply),
  );

  scope.get(
    '/apps/:identifier/analytics/deliveries',
    {
      config,
      schema: {
        ...common,
        summary: 'Read what an app’s deliveries came to',
        operationId: 'getDeliveryStatistics',
        querystring: periodQuery,
        response: appAnswers({ 200: deliveryStatsSchema }),
      },
    },
    async (request, reply) =>
      (await answerPeriod(request, 'deliveries', (sql, appId, period) =>
        createReadDeliveries(sql, analytics)(appId, period),
      )) ?? sendNotFound(reply),
  );

  scope.get(
    '/apps/:identifier/analytics/engagement',
    {
      config,
      schema: {
        ...common,
        summary: 'Read how readers took an app’s deliveries',
        operationId: 'getEngagement',
        querystring: periodQuery,
        response: appAnswers({ 200: engagementSchema }),
      },
    },
    async (request, reply) =>
      (await answerPeriod(request, 'engagement', (sql, appId, period) =>
        createReadEngagement(sql, analytics)(appId, period),
      )) ?? sendNotFound(reply),
  );

  scope.get(
    '/apps/:identifier/analytics/funnel',
    {
      config,
      schema: {
        ...common,
        summary: 'Read how many readers saw, clicked and closed',
        operationId: 'getFunnelStatistics',
        description: `${common.description} Each reader counts once a delivery and stage.`,
        querystring: periodQuery,
        response: appAnswers({ 200: funnelStatsSchema }),
      },
    },
    async (request, reply) =>
      (await answerPeriod(request, 'funnel', (sql, appId, period) =>
        createReadFunnel(sql, analytics)(appId, period),
      )) ?? sendNotFound(reply),
  );

  scope.get(
    '/apps/:identifier/analytics/push-services',
    {
      config,
      schema: {
        ...common,
        summary: 'Read what push services took of an app’s messages, day by day',
        operationId: 'getPushServiceStatistics',
        description: `${common.description} Rehearsals are not counted; readers who left since are.`,
        querystring: periodQuery,
        response: appAnswers({ 200: serviceStatsSchema }),
      },
    },
    async (request, reply) =>
      (await answerPeriod(request, 'push services', (sql, appId, period) =>
        createReadServices(sql, analytics)(appId, period),
      )) ?? sendNotFound(reply),
  );
  revenueRoute(scope, deps, remember);
}
