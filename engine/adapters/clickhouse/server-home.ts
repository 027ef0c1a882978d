import type { Values } from '../../contract/settings/settings.ts';
import type { clickhouseSettings } from '../../contract/settings/shared-settings.ts';
import type { ClickHouseHome } from './client.ts';

interface Bounds {
  readonly requestTimeoutMs: number;
  readonly maxConnections: number;
}

/** The server of the settings, which must name one. */
export function serverHome(
  config: Values<typeof clickhouseSettings> & { readonly clickhouseUrl: string },
  { requestTimeoutMs, maxConnections }: Bounds,
): ClickHouseHome {
  const {
    clickhouseCluster: cluster,
    clickhouseSslCa: ca,
    clickhouseSslCertificate: cert,
    clickhouseSslKey: key,
  } = config;
  return {
    kind: 'http',
    url: config.clickhouseUrl,
    username: config.clickhouseUser,
    password: config.clickhousePassword ?? '',
    database: config.clickhouseDatabase,
    requestTimeoutMs,
    maxConnections,
    ...(cluster === null ? {} : { cluster }),
    ...(ca === null ? {} : { ca }),
    ...(cert === null || key === null ? {} : { certificate: { cert, key } }),
  };
}
