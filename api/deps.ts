import type { FastifyBaseLogger } from 'fastify';
import type { PressureSignal } from '../engine/adapters/http/overload.ts';
import type { ServerLimits } from '../engine/adapters/http/server-limits.ts';
import type { Database } from '../engine/adapters/postgres/database.ts';
import type { ProgressLimits } from '../engine/adapters/telemetry/progress-streams.ts';
import type { Readiness } from '../engine/adapters/telemetry/readiness.ts';
import type { Tracing } from '../engine/adapters/telemetry/tracing.ts';
import type { Log } from '../engine/contract/log.ts';
import type { EndpointPolicy } from '../engine/contract/push-service.ts';
import type { SubjectOf } from '../engine/contract/vapid-subject.ts';
import type { PublicAddresses } from '../engine/network/public-addresses.ts';
import type { AnalyticsPort } from './client/analytics/port.ts';
import type { ApiConfig } from './config.ts';
import type { DashboardState } from './dashboard/dashboard.ts';
import type { Reads } from './reads/reads.ts';

/** What the client and account tiers are made of. */
export interface ClientDeps extends ApiDeps {
  readonly reads: Reads;
}

/** What the API is made of; `api/main.ts` puts it together, tests put in their own. */
export interface ApiDeps {
  readonly database: Database;
  /** Connections of their own for browsers, so that no subscribe waits for what publishers ask; else `database`. */
  readonly publicDatabase?: Database;
  /** Connections of their own for reads whose cost the caller chooses; else `database`. */
  readonly readDatabase?: Database;
  /** 32 bytes. */
  readonly masterKey: Uint8Array;
  /** Keys before it: they open what is not sealed anew yet, and prove what was sent before. */
  readonly oldMasterKeys?: readonly Uint8Array[];
  readonly analytics: AnalyticsPort;
  /** Where beacons go. */
  readonly log: Pick<Log, 'publish'>;
  readonly readiness: Readiness;
  /** Called after a commit that wrote an outbox row, so that it need not wait for the sweep. Must not throw. */
  readonly wakeRelay: () => void;
  readonly endpointPolicy: EndpointPolicy;
  /** Left out: an app's own site. */
  readonly subjectOf?: SubjectOf;
  /** Where images may be fetched from. Tests put in their own: no setting opens it. */
  readonly publicAddresses: PublicAddresses;
  readonly logger: FastifyBaseLogger | false;
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
  /** Instead of the usual ones. */
  readonly limits?: Partial<ServerLimits>;
  /** Of the streams of progress, instead of the usual ones. */
  readonly progressStreams?: Partial<ProgressLimits>;
  /** Whether there is too much to do, beside what the process sees itself. */
  readonly isOverloaded?: PressureSignal;
  /** The pages to serve. Left out: none are built. */
  readonly dashboard?: () => DashboardState;
  readonly config: Pick<
    ApiConfig,
    | 'publicBaseUrl'
    | 'reportingUrl'
    | 'allowLocalhostOrigin'
    | 'publicRatePerMinute'
    | 'newSubscriptionsPerHour'
    | 'trustedProxies'
    | 'countryHeader'
    | 'clientRatePerMinute'
    | 'sessionRatePerMinute'
    | 'apiReadConnections'
    | 'readsPerOrganization'
    | 'readSecondsPerMinute'
    | 'breakingPerDay'
  >;
}
