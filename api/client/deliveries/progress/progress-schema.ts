import { type Static, Type } from 'typebox';
import { deliverySchema } from '../schema.ts';
import { failuresField, nextAttemptField } from './failures-schema.ts';
import { forecastField } from './forecast-schema.ts';
import { pushServicesField } from './push-services-schema.ts';

const { id, status, started_at, completed_at, error_message } = deliverySchema.properties;
const {
  total_subscribers,
  capped_subscribers,
  guarded_subscribers,
  wished_subscribers,
  success_count,
  failed_count,
  gone_count,
  ambiguous,
} = deliverySchema.properties;

const progressExample = {
  id: 81,
  status: 'processing',
  started_at: '2026-01-31T12:00:01+00:00',
  completed_at: null,
  error_message: null,
  total_subscribers: 117_930,
  capped_subscribers: 610,
  guarded_subscribers: 0,
  wished_subscribers: 0,
  success_count: 81_020,
  failed_count: 402,
  gone_count: 398,
  ambiguous: 17,
  forecast: null,
  push_services: [],
  failures: [],
  next_attempt_at: null,
};

/** The fields of a delivery that change while it runs. */
export const progressSchema = Type.Object(
  {
    id,
    status,
    started_at,
    completed_at,
    error_message,
    total_subscribers,
    capped_subscribers,
    guarded_subscribers,
    wished_subscribers,
    success_count,
    failed_count,
    gone_count,
    ambiguous,
    forecast: forecastField,
    push_services: pushServicesField,
    failures: failuresField,
    next_attempt_at: nextAttemptField,
  },
  { title: 'DeliveryProgress', examples: [progressExample] },
);
export type ProgressResource = Static<typeof progressSchema>;

/** For generators and readers: nothing is validated by it. */
export const progressEvents = Type.String({
  title: 'DeliveryProgressEvents',
  description: 'An event a second: `progress`, and `end` as the last one. `data` is a DeliveryProgress.',
  examples: [`event: progress\ndata: ${JSON.stringify(progressExample)}\n\n`],
});
