import type { ApiDeps } from '../ports/deps.ts';
import { createApi } from './app.ts';

/** The OpenAPI text of this version's routes, without a database or a server. */
export async function readOpenapiText(): Promise<object> {
  const app = createApi({
    ...absent<ApiDeps>('a dependency of the API'),
    database: absent('Postgres'),
    masterKey: Buffer.alloc(32),
    analytics: absent('ClickHouse'),
    readiness: async () => ({}),
    wakeRelay: () => {},
    endpointPolicy: { hosts: [], allowAnyHost: false },
    publicAddresses: absent('the guard of outgoing connections'),
    logger: false,
    config: {
      publicBaseUrl: null,
      reportingUrl: null,
      allowLocalhostOrigin: false,
      publicRatePerMinute: 1,
      newSubscriptionsPerHour: 0,
      trustedProxies: [],
      countryHeader: null,
      clientRatePerMinute: 60,
      sessionRatePerMinute: 600,
      apiReadConnections: 2,
      readsPerOrganization: 1,
      readSecondsPerMinute: 1,
      breakingPerDay: null,
      smtpUrl: null,
      mailFrom: null,
    },
  });
  try {
    return (await app.inject('/api/v1/openapi.json')).json();
  } finally {
    await app.close();
  }
}

/** Routes register without it; any use of it is a bug here. */
function absent<Part extends object>(name: string): Part {
  return new Proxy({} as Part, {
    get: (_target, property) => {
      throw new Error(`${name} is asked for ${String(property)} while the OpenAPI text is made`);
    },
  });
}
