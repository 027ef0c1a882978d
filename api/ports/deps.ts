import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { ServiceMetrics } from '../../engine/adapters/telemetry/service-metrics.ts';
import type { Tracing } from '../../engine/adapters/telemetry/tracing.ts';
import type { Log } from '../../engine/contract/log.ts';
import type { EndpointPolicy } from '../../engine/contract/push-service.ts';
import type { SubjectOf } from '../../engine/contract/vapid-subject.ts';
import type { PressureSignal } from '../../engine/kit/http/overload.ts';
import type { ServerLimits } from '../../engine/kit/http/server-limits.ts';
import type { ProgressLimits } from '../../engine/kit/roles/progress-streams.ts';
import type { Readiness } from '../../engine/kit/roles/readiness.ts';
import type { PublicAddresses } from '../../engine/network/public-addresses.ts';
import type { DashboardState } from '../dashboard/dashboard.ts';
import type { Reads } from '../reads/reads.ts';
import type { ApiConfig } from '../settings/config.ts';
import type { ProviderConfig } from '../settings/provider.ts';
import type { AnalyticsPort } from './analytics.ts';

/** Of these, what one route uses. */
export type Using<Name extends keyof ClientDeps> = Pick<ClientDeps, Name>;

/** The dependencies of the client and account tiers. */
export interface ClientDeps extends ApiDeps {
  readonly reads: Reads;
}

/** The API's dependencies; `api/main.ts` builds them, tests pass their own. */
export interface ApiDeps {
  readonly database: Database;
  /** Separate connections for browsers, so that no subscribe waits for publishers' requests; else `database`. */
  readonly publicDatabase?: Database;
  /** Separate connections for reads whose cost the caller chooses; else `database`. */
  readonly readDatabase?: Database;
  /** 32 bytes. */
  readonly masterKey: Uint8Array;
  /** Former keys: they open values that are not resealed yet, and verify earlier proofs. */
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
  /** Left out: they are logged. */
  readonly logRequests?: boolean;
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
  /** Left out: requests are not counted. */
  readonly metrics?: Pick<ServiceMetrics, 'answered'>;
  /** Instead of the usual ones. */
  readonly limits?: Partial<ServerLimits>;
  /** Of the streams of progress, instead of the usual ones. */
  readonly progressStreams?: Partial<ProgressLimits>;
  /** An external overload signal, beside the process's own. */
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
    | 'smtpUrl'
    | 'mailFrom'
  > &
    /** Left out: the installation has no provider of its own. */
    Partial<ProviderConfig>;
}
