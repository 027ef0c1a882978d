import { sendFieldErrors } from '../../../../engine/kit/http/problem.ts';
import { callerOf } from '../../../auth/caller.ts';
import { appAnswers, security } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { whoeverWaits } from '../../../reads/reads.ts';
import { isGranted } from '../../../shared/revenue/revenue-domains.ts';
import { siteOf } from '../../../shared/revenue/site.ts';
import { appParams } from '../../apps/routes.ts';
import { appOf } from '../../own-app.ts';
import { askedPeriod } from '../period.ts';
import type { createRemember } from '../remember.ts';
import { refuseMissingRate } from '../revenue-route.ts';
import { DEFAULT_CURRENCY } from '../revenue-schema.ts';
import { createReadDeliveryRevenue, TooManyVisits } from './read.ts';
import {
  DEFAULT_DELIVERIES,
  deliveryRevenueOf,
  deliveryRevenueQuery,
  deliveryRevenueSchema,
} from './schema.ts';

const description = `An estimate: no ad server knows by which notification a reader came. What the site earned in an \
hour is shared among the deliveries by which readers came in that hour, by their visits; where ad servers report days \
without hours, what it earned on a day, by the visits of the day. \`grain\` says which of the two it was. Other visitors \
of those hours are in it: \`impressions_per_visit\` bounds it by what readers of notifications can have seen. Apps of \
your organization with the same site share its earnings, so that nothing counts twice.

Earnings are shown for a site that the operator has granted to your organization. At most 5 minutes old.`;

export function deliveryRevenueRoute(
  scope: Scope,
  { database, analytics, reads }: Using<'database' | 'analytics' | 'reads'>,
  remember: ReturnType<typeof createRemember>,
): void {
  scope.get(
    '/apps/:identifier/analytics/revenue/deliveries',
    {
      config: { ability: 'analytics:read' },
      schema: {
        tags: ['Analytics'],
        summary: 'Estimate what each delivery earned',
        operationId: 'getDeliveryRevenue',
        description,
        security,
        params: appParams,
        querystring: deliveryRevenueQuery,
        response: appAnswers({ 200: deliveryRevenueSchema }),
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const app = appOf(request);
      const {
        currency = DEFAULT_CURRENCY,
        limit = DEFAULT_DELIVERIES,
        impressions_per_visit,
      } = request.query;
      const period = askedPeriod(request.query, Date.now());
      if ('errors' in period) return sendFieldErrors(reply, period.errors);
      const site = siteOf(app.site_domain);
      // Checked every time, and part of the question: a cached answer is only for callers with this access.
      const granted = await isGranted(database, organizationId, site);
      const perVisit = impressions_per_visit ?? null;
      // Rename it whenever the cached value changes its shape.
      const question = `delivery-revenue ${period.days.length} ${period.firstDay} ${currency} ${granted} ${site.name} ${limit} ${perVisit}`;
      const answer = remember(app.id, question, () =>
        reads.pass({ organizationId, signal: whoeverWaits }, (query) =>
          query((sql) =>
            createReadDeliveryRevenue(sql, analytics)(app.id, period, {
              ...{ site, granted, currency, perVisit, limit },
            }),
          ),
        ),
      );
      return answer.then(deliveryRevenueOf, (error: unknown) =>
        error instanceof TooManyVisits
          ? sendFieldErrors(reply, { from: ['Readers came in too many hours: ask for a shorter period.'] })
          : refuseMissingRate(reply, error),
      );
    },
  );
}
