import type { FastifyBaseLogger } from 'fastify';
import { type Static, Type } from 'typebox';
import type { AppId } from '../../../engine/contract/ids.ts';
import { pushServices } from '../../../engine/contract/push-service.ts';
import { AnalyticsAway, type AnalyticsPort } from '../../ports/analytics.ts';
import type { StoredDelivery } from './store.ts';

const serviceCost = Type.Object(
  {
    push_service: Type.Unsafe<(typeof pushServices)[number]>({
      type: 'string',
      enum: [...pushServices],
      description: 'The operator of the subscribers’ endpoints.',
    }),
    requests: Type.Integer({
      description: 'Sent to it: those for a subscriber who was tried again count each time.',
    }),
    answer_ms: Type.Integer({ description: 'Mean time until it answered, in milliseconds.' }),
  },
  {
    title: 'DeliveryServiceCost',
    examples: [{ push_service: 'fcm', requests: 81_960, answer_ms: 48 }],
  },
);
export type ServiceCosts = Static<typeof serviceCost>[];

export const serviceCostsField = Type.Union([Type.Array(serviceCost), Type.Null()], {
  description:
    'What it took at each push service, some seconds behind. Null while it cannot be counted: retry later.',
});

/** Null: ClickHouse does not answer. A rehearsal asks no push service, and before the first message ends there is little to say. */
export async function readServiceCosts(
  analytics: AnalyticsPort,
  log: FastifyBaseLogger,
  appId: AppId,
  { id, rehearsal, success_count: accepted, failed_count: failed }: StoredDelivery,
): Promise<ServiceCosts | null> {
  if (rehearsal || accepted + failed === 0) return [];
  try {
    const costs = await analytics.serviceCosts(appId, id);
    return costs.map(({ service, requests, answerMs }) => ({
      ...{ push_service: service, requests, answer_ms: answerMs },
    }));
  } catch (error) {
    if (!(error instanceof AnalyticsAway)) throw error;
    log.warn({ err: error }, 'costs are unknown: ClickHouse is away');
    return null;
  }
}
