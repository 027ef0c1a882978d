import type { Values } from '../../contract/settings/settings.ts';
import type { tracingSettings } from '../../contract/settings/shared-settings.ts';
import type { Logger } from './logger.ts';
import { noTracing, type Tracing } from './tracing.ts';

/** @param role `api`, `engine`, `reporting`, or `up` where one process is all of them. */
export async function openTracing(
  config: Values<typeof tracingSettings>,
  role: string,
  logger: Logger,
): Promise<Tracing> {
  const { otlpEndpoint } = config;
  if (otlpEndpoint === null) return noTracing;
  // Not imported above: without tracing the libraries cost neither memory nor start-up time.
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing({ ...config, otlpEndpoint }, role, logger);
}
