import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { readMasterKeys } from '../../engine/adapters/postgres/sealed-secret.ts';
import { logsRequests } from '../../engine/adapters/telemetry/log-format.ts';
import type { ServiceMetrics } from '../../engine/adapters/telemetry/service-metrics.ts';
import type { Tracing } from '../../engine/adapters/telemetry/tracing.ts';
import type { Log } from '../../engine/contract/log.ts';
import { createSubjectOf, type SubjectOf } from '../../engine/contract/vapid-subject.ts';
import type { Readiness } from '../../engine/kit/roles/readiness.ts';
import { createPublicAddresses } from '../../engine/network/public-addresses.ts';
import { openDashboard } from '../dashboard/dashboard.ts';
import type { AnalyticsPort } from '../ports/analytics.ts';
import type { ApiConfig } from '../settings/config.ts';
import { createApi } from './app.ts';

/** An API's dependencies; the caller opens and closes these. */
export interface ApiParts {
  readonly database: Database;
  readonly publicDatabase: Database;
  readonly readDatabase: Database;
  readonly analytics: AnalyticsPort;
  readonly log: Pick<Log, 'publish'>;
  readonly readiness: Readiness;
  readonly wakeRelay: () => void;
  /** Left out: VAPID_SUBJECT, otherwise an app's own site. */
  readonly subjectOf?: SubjectOf;
  readonly logger: FastifyBaseLogger | false;
  readonly tracing?: Tracing;
  readonly metrics?: Pick<ServiceMetrics, 'answered'>;
}

export interface ApiServer {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Takes no more requests and answers those in flight. */
  close(): Promise<void>;
}

/** @throws Error in one line where the address is taken or the master key is none. */
export async function startApi(config: ApiConfig, parts: ApiParts): Promise<ApiServer> {
  const masterKeys = readMasterKeys(config);
  const endpointPolicy = { hosts: config.pushServiceHosts, allowAnyHost: config.allowAnyPushHost };
  const dashboard = openDashboard(parts.logger);
  const app = createApi({
    subjectOf: createSubjectOf(config.vapidSubject),
    ...parts,
    logRequests: logsRequests(config),
    masterKey: masterKeys.current,
    oldMasterKeys: masterKeys.old,
    endpointPolicy,
    publicAddresses: createPublicAddresses(),
    dashboard: dashboard.state,
    config,
  });
  const close = (): Promise<void> => {
    dashboard.close();
    return app.close();
  };
  try {
    const url = await app.listen({ host: config.apiHost, port: config.apiPort });
    return { url, close };
  } catch (error) {
    dashboard.close();
    throw error;
  }
}
