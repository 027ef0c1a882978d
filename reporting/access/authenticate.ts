import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  admitReportToken,
  noteReportTokenUse,
  type ReportRates,
} from '../../engine/adapters/postgres/report-tokens.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { createRefuseUnknown, passRate } from '../../engine/kit/http/admit.ts';
import { hashSecret, parseBearer } from '../../engine/kit/http/token.ts';
import type { Caller } from './caller.ts';

/** The API's word that somebody who is logged in asks this on the dashboard. */
const PASS = 'x-report-pass';

/** Admits every request of the scope by its token, within the rate of its user, or answers 401 or 429. */
export function registerAuthentication(
  scope: FastifyInstance,
  sql: Sql,
  ratesOf: (request: FastifyRequest) => ReportRates,
): void {
  const refuseUnknown = createRefuseUnknown();

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> => {
    const token = parseBearer(request.headers.authorization);
    const pass = request.headers[PASS];
    const found =
      token === null
        ? null
        : await admitReportToken(
            sql,
            { id: token.id, secretHash: hashSecret(token.secret) },
            ratesOf(request),
            typeof pass === 'string' ? hashSecret(pass) : null,
          );
    if (found === null) return refuseUnknown(request, reply);
    if (!passRate(reply, found, found.most)) return null;
    if (found.useIsStale) await noteReportTokenUse(sql, found.id);
    const { id: tokenId, userId, organizationId, domains, wholesalers, unrestricted, hit } = found;
    return { userId, organizationId, tokenId, scope: { domains, wholesalers, unrestricted }, hit };
  };

  scope.decorateRequest('reportCaller', null);
  scope.addHook('onRequest', async (request, reply) => {
    request.reportCaller = await admit(request, reply);
    if (request.reportCaller === null) return reply;
  });
}
