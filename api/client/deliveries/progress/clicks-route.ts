import { type Static, Type } from 'typebox';
import { sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import { timeField, timestamp } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import { HOURS_OF_CLICKS } from '../../../ports/analytics.ts';
import type { Using } from '../../../ports/deps.ts';
import { appOf } from '../../own-app.ts';
import { deliveryParams, parseDeliveryId } from '../params.ts';
import { findDelivery } from '../store.ts';

const HOUR_MS = 3_600_000;

const clickHours = Type.Array(
  Type.Object({
    from: timeField,
    clicks: Type.Integer({ description: 'Readers who first clicked within this hour.' }),
  }),
  {
    title: 'DeliveryClickHours',
    description: `The hours since the delivery started, at most ${HOURS_OF_CLICKS}; none before it starts.`,
    examples: [[{ from: '2026-01-31T12:00:00+00:00', clicks: 412 }]],
  },
);

/** When readers clicked a delivery. */
export function clicksRoute(scope: Scope, { database, analytics }: Using<'database' | 'analytics'>): void {
  scope.get(
    '/apps/:identifier/deliveries/:delivery_id/click-hours',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Read a delivery’s clicks by the hour',
        operationId: 'getDeliveryClickHours',
        description:
          'Each reader counts once, in the hour of their first click, as the browser says, of the events that are still kept. Answered 503 while clicks cannot be counted.',
        security,
        params: deliveryParams,
        response: appAnswers({ 200: dataOf(clickHours) }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parseDeliveryId(request.params.delivery_id);
      const delivery = id === null ? null : await findDelivery(database, appId, id);
      if (delivery === null) return sendNotFound(reply);
      const { started_at: started, rehearsal } = delivery;
      if (started === null || rehearsal) return { data: [] };
      return {
        data: hoursOf(started, await analytics.clicksByHour(appId, delivery.id, started), Date.now()),
      };
    },
  );
}

/** Those that have begun, also where nobody clicked. */
function hoursOf(
  started: Date,
  clicks: ReadonlyMap<number, number>,
  nowMs: number,
): Static<typeof clickHours> {
  const passed = Math.floor((nowMs - started.getTime()) / HOUR_MS) + 1;
  return Array.from({ length: Math.max(1, Math.min(HOURS_OF_CLICKS, passed)) }, (_, hour) => ({
    from: timestamp(new Date(started.getTime() + hour * HOUR_MS)),
    clicks: clicks.get(hour) ?? 0,
  }));
}
