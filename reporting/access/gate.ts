import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRefuseUnknown, passRate } from '../../engine/adapters/http/admit.ts';
import { hashSecret, parseBearer } from '../../engine/adapters/http/token.ts';
import type { Sql } from '../../engine/adapters/postgres/database.ts';
import { takeHit } from '../../engine/adapters/postgres/rate-limit.ts';
import {
  findReportToken,
  noteReportTokenUse,
  type ReportTokenFound,
} from '../../engine/adapters/postgres/report-tokens.ts';
import type { Caller } from './caller.ts';

/** Admits every request of the scope by its token, within the rate of its user, or answers 401 or 429. */
export function registerGate(scope: FastifyInstance, sql: Sql, ratePerMinute: number): void {
  const refuseUnknown = createRefuseUnknown();

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> => {
    const found = await findCaller(sql, request.headers.authorization);
    if (found === null) return refuseUnknown(request, reply);
    const hit = await takeHit(sql, found.user_id, 'report', ratePerMinute);
    if (!passRate(reply, hit, ratePerMinute)) return null;
    if (found.use_is_stale) await noteReportTokenUse(sql, found.id);
    return { userId: found.user_id, tokenId: found.id, scope: found };
  };

  scope.decorateRequest('reportCaller', null);
  scope.addHook('onRequest', async (request, reply) => {
    request.reportCaller = await admit(request, reply);
    if (request.reportCaller === null) return reply;
  });
}

/** What a header is compared with where no token has its id: the comparison is made all the same. */
const nobody = hashSecret('');

async function findCaller(sql: Sql, header: string | undefined): Promise<ReportTokenFound | null> {
  const token = parseBearer(header);
  if (token === null) return null;
  const found = await findReportToken(sql, token.id);
  const isSame = timingSafeEqual(hashSecret(token.secret), found?.secret_hash ?? nobody);
  return isSame ? found : null;
}
