import { alerts } from './alerts.ts';
import { webhooks } from './webhooks.ts';

/** What pages say that few people go to. */
export const seldom = {
  ...alerts,
  ...webhooks,
} as const;
