import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../engine/adapters/postgres/database.ts';
import type { EndpointPolicy } from '../engine/contract/push-service.ts';
import type { AnalyticsPort } from './client/analytics/port.ts';
import type { ApiConfig } from './config.ts';
import type { Readiness } from './internal/health.ts';

/** What the API is made of; `api/main.ts` puts it together, tests put in their own. */
export interface ApiDeps {
  readonly database: Database;
  /** 32 bytes. */
  readonly masterKey: Uint8Array;
  readonly analytics: AnalyticsPort;
  readonly readiness: Readiness;
  /** Called after a commit that wrote an outbox row, so that it need not wait for the sweep. Must not throw. */
  readonly wakeRelay: () => void;
  readonly endpointPolicy: EndpointPolicy;
  readonly logger: FastifyBaseLogger | false;
  readonly config: Pick<ApiConfig, 'publicBaseUrl' | 'allowLocalhostOrigin'>;
}
