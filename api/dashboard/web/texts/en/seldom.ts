import { alerts } from './alerts.ts';
import { audit } from './audit.ts';
import { reports } from './reports.ts';
import { webhooks } from './webhooks.ts';

/** What pages say that few people go to. */
export const seldom = {
  ...alerts,
  ...audit,
  ...reports,
  ...webhooks,
} as const;
