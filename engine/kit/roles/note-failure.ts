import type { Logger } from '../../adapters/telemetry/logger.ts';
import type { Completed } from '../../contract/delivery.ts';

/** One line for an operator where nobody received a delivery. Its reason may hold an address: the API has it. */
export function noteFailure(
  logger: Pick<Logger, 'warn'>,
  { deliveryId, appId, ...delivery }: Completed & { readonly deliveryId: number; readonly appId: number },
): void {
  if (delivery.status !== 'failed') return;
  const { total, accepted, failed, capped } = delivery;
  logger.warn(
    { deliveryId, appId, total, accepted, failed, capped },
    'a delivery failed: no push service accepted a message of it',
  );
}
