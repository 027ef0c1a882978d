import type { Tracing } from '../adapters/telemetry/tracing.ts';
import type { PlanDelivery } from './plan-delivery.ts';

/** A span around each planning; the delivery's shards become its children. Without tracing, nothing is laid around. */
export function tracedPlan(tracing: Tracing, planDelivery: PlanDelivery): PlanDelivery {
  if (!tracing.enabled) return planDelivery;
  return async (deliveryId, parent) => {
    const span = tracing.start('plan delivery', {
      parent,
      attributes: { 'broadside.delivery_id': deliveryId },
    });
    try {
      const ending = await planDelivery(deliveryId, span.traceparent);
      const counts =
        ending.kind === 'planned'
          ? { 'broadside.shards': ending.shards, 'broadside.targets': ending.targets }
          : {};
      span.end({ 'broadside.ending': ending.kind, ...counts });
      return ending;
    } catch (error) {
      span.end({}, 'threw');
      throw error;
    }
  };
}
