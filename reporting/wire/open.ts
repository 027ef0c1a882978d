import type { FastifyBaseLogger } from 'fastify';
import type { ReportingConfig } from '../config.ts';
import { type RunningWire, startWire, type WireDeps } from './server.ts';
import { createTlsContext } from './tls.ts';

/** @returns null where no port is set. @throws Error where the address is taken or the certificate cannot be read. */
export async function openWire(
  config: ReportingConfig,
  deps: Omit<WireDeps, 'ratePerMinute' | 'answerMb' | 'now'>,
): Promise<RunningWire | null> {
  const { reportWirePort: port } = config;
  if (port === null) {
    // A panel of nothing would look broken.
    deps.metrics.sampleWire(() => 0);
    return null;
  }
  const wire = await startWire(
    {
      host: config.reportWireHost,
      port,
      tls: tlsOf(config, deps.logger),
      allowsClearText: config.reportWireAllowClearText,
      connections: config.reportWireConnections,
      connectionsPerToken: config.reportWireTokenConnections,
    },
    { ...deps, ratePerMinute: config.reportWireRatePerMinute, answerMb: config.reportMb, now: Date.now },
  );
  deps.logger.info(
    { host: config.reportWireHost, port: wire.port },
    'reports listen for clients of Postgres',
  );
  return wire;
}

function tlsOf(
  { reportWireCertificateFile: certificate, reportWireKeyFile: key }: ReportingConfig,
  logger: FastifyBaseLogger,
): (() => ReturnType<ReturnType<typeof createTlsContext>>) | null {
  if (certificate === null || key === null) return null;
  return createTlsContext({ certificate, key }, (error) =>
    logger.warn(
      { err: error },
      'the certificate of the Postgres wire was not read again: the one before stays',
    ),
  );
}
