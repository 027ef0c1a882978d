import type { FastifyReply } from 'fastify';
import { sendFieldErrors } from '../../../engine/kit/http/problem.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, security } from '../../http/answers.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { whoeverWaits } from '../../reads/reads.ts';
import { isGranted } from '../../shared/revenue/revenue-domains.ts';
import { siteOf } from '../../shared/revenue/site.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { RateMissing } from './convert-earnings.ts';
import { askedPeriod } from './period.ts';
import type { createRemember } from './remember.ts';
import { createReadRevenue, type KeptRevenue } from './revenue.ts';
import {
  DEFAULT_CURRENCY,
  exactFigures,
  type RevenueResource,
  revenueQuery,
  revenueSchema,
} from './revenue-schema.ts';

const description = `Ad earnings of the site, beside its sent and clicked notifications. At most 5 minutes old.

Earnings are shown for a site that the operator has granted to your organization (\`broadside revenue grant\`): what an \
app calls its site is not asked for proof.`;

export function revenueRoute(
  scope: Scope,
  { database, analytics, reads }: Using<'database' | 'analytics' | 'reads'>,
  remember: ReturnType<typeof createRemember>,
): void {
  scope.get(
    '/apps/:identifier/analytics/revenue',
    {
      config: { ability: 'analytics:read' },
      schema: {
        tags: ['Analytics'],
        summary: 'Read the ad earnings of an app’s site',
        operationId: 'getRevenue',
        description,
        security,
        params: appParams,
        querystring: revenueQuery,
        response: appAnswers({ 200: revenueSchema }),
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const app = appOf(request);
      const { currency = DEFAULT_CURRENCY } = request.query;
      const period = askedPeriod(request.query, Date.now());
      if ('errors' in period) return sendFieldErrors(reply, period.errors);
      const site = siteOf(app.site_domain);
      // Checked every time, and part of the question: a cached answer is only for callers with this access.
      const granted = await isGranted(database, organizationId, site);
      // Rename it whenever the cached value changes its shape.
      const question = `revenue-2 ${period.days.length} ${period.firstDay} ${currency} ${granted} ${site.name}`;
      const answer = remember(app.id, question, () =>
        reads.pass({ organizationId, signal: whoeverWaits }, (query) =>
          query((sql) => createReadRevenue(sql, analytics)(app.id, period, { site, granted, currency })),
        ),
      );
      return answer.then(resourceOf, (error: unknown) => refuseMissingRate(reply, error));
    },
  );
}

const resourceOf = ({ revenue_by_day, totals, meta, ...kept }: KeptRevenue): RevenueResource => ({
  ...kept,
  revenue_by_day: revenue_by_day.map(exactFigures),
  totals: exactFigures(totals),
  meta: {
    ...meta,
    rates: [...meta.rates],
    old_rates: [...meta.old_rates],
    left_out: [...meta.left_out],
  },
});

/** @throws any other error. */
export function refuseMissingRate(reply: FastifyReply, error: unknown) {
  if (!(error instanceof RateMissing)) throw error;
  const { currency, day } = error;
  return sendFieldErrors(reply, {
    currency: [`Earnings cannot be converted to ${currency}: there is no rate on or before ${day}.`],
  });
}
