import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { sendFieldErrors } from '../../../engine/kit/http/problem.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, security } from '../../http/answers.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps } from '../../ports/deps.ts';
import { whoeverWaits } from '../../reads/reads.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { createReadDeliveries } from './deliveries.ts';
import { deliveryRevenueRoute } from './delivery-revenue/route.ts';
import { createReadEngagement } from './engagement.ts';
import { createReadFunnel } from './funnel-days.ts';
import { funnelStatsSchema } from './funnel-schema.ts';
import { createReadOverview } from './overview.ts';
import { askedPeriod, type Period, type PeriodQuery } from './period.ts';
import { createReadReachability, reachabilitySchema } from './reachability.ts';
import { createRemember } from './remember.ts';
import { revenueRoute } from './revenue-route.ts';
import {
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

  /** The app is the caller's by now: its cached answers are for no other caller. */
  async function answer<Answer extends object>(
    request: FastifyRequest,
    question: string,
    read: (sql: Sql, appId: AppId) => Promise<Answer>,
  ): Promise<Answer> {
    const { organizationId } = callerOf(request);
    const app = appOf(request);
    // Goes on when its client disconnects: the answer is kept for five minutes, and others may wait for it.
    const asked = { organizationId, signal: whoeverWaits };
    return remember(app.id, question, () => reads.pass(asked, (query) => query((sql) => read(sql, app.id))));
  }

  /** The day is part of the question: at midnight the period is another one. */
  async function answerPeriod<Answer extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    question: string,
    read: (sql: Sql, appId: AppId, period: Period) => Promise<Answer>,
  ) {
    const period = askedPeriod(request.query as PeriodQuery, Date.now());
    if ('errors' in period) return sendFieldErrors(reply, period.errors);
    return answer(request, `${question} ${period.days.length} ${period.firstDay}`, (sql, appId) =>
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
    (request) =>
      answer(request, 'overview by browser', (sql, appId) => createReadOverview(sql, analytics)(appId)),
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
    (request, reply) =>
      answerPeriod(request, reply, 'subscribers who came and left', (sql, appId, period) =>
        createReadSubscribers(sql)(appId, period),
      ),
  );

  scope.get(
    '/apps/:identifier/analytics/deliveries',
    {
      config,
      schema: {
        ...common,
        summary: 'Read the engagement of an app’s deliveries',
        operationId: 'getDeliveryStatistics',
        querystring: periodQuery,
        response: appAnswers({ 200: deliveryStatsSchema }),
      },
    },
    (request, reply) =>
      answerPeriod(request, reply, 'deliveries', (sql, appId, period) =>
        createReadDeliveries(sql, analytics)(appId, period),
      ),
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
    (request, reply) =>
      answerPeriod(request, reply, 'engagement', (sql, appId, period) =>
        createReadEngagement(sql, analytics)(appId, period),
      ),
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
    (request, reply) =>
      answerPeriod(request, reply, 'funnel', (sql, appId, period) =>
        createReadFunnel(sql, analytics)(appId, period),
      ),
  );

  scope.get(
    '/apps/:identifier/analytics/push-services',
    {
      config,
      schema: {
        ...common,
        summary: 'Read an app’s messages per push service and day',
        operationId: 'getPushServiceStatistics',
        description: `${common.description} Rehearsals are not counted; readers who unsubscribed since are.`,
        querystring: periodQuery,
        response: appAnswers({ 200: serviceStatsSchema }),
      },
    },
    (request, reply) =>
      answerPeriod(request, reply, 'push services and throttling', (sql, appId, period) =>
        createReadServices(sql, analytics)(appId, period),
      ),
  );

  scope.get(
    '/apps/:identifier/analytics/reachability',
    {
      config,
      schema: {
        ...common,
        summary: 'Read how many subscribers can be reached',
        operationId: 'getReachability',
        description: `${common.description} Push services report the end of a subscription late or never: of an unused browser FCM does after 270 days.`,
        response: appAnswers({ 200: reachabilitySchema }),
      },
    },
    (request) =>
      answer(request, 'reachability by browser', (sql, appId) =>
        createReadReachability(sql, analytics)(appId),
      ),
  );
  revenueRoute(scope, deps, remember);
  deliveryRevenueRoute(scope, deps, remember);
}
