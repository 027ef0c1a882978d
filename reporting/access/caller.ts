import type { FastifyRequest } from 'fastify';
import type { Hit } from '../../engine/adapters/postgres/rate-limit.ts';
import type { ReportScope } from '../../engine/adapters/postgres/report-tokens.ts';

/** The caller of a report. */
export interface Caller {
  /** The token's owner, or who asks it on the dashboard. */
  readonly userId: number;
  readonly organizationId: number;
  readonly tokenId: number;
  /** The rows that the token sees. */
  readonly scope: ReportScope;
  /** The hit that counts the request; null where it was not counted. */
  readonly hit: Hit | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before a report's handler runs. */
    reportCaller: Caller | null;
  }
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.reportCaller === null) throw new Error(`${request.url} has no caller`);
  return request.reportCaller;
}
