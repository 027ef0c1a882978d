import { alerts } from './alerts.ts';
import { audit } from './audit.ts';
import { reports } from './reports.ts';
import { standing } from './standing.ts';
import { tests } from './tests.ts';
import { webhooks } from './webhooks.ts';

/** What pages say that few people go to. */
export const seldom = {
  ...alerts,
  ...audit,
  ...reports,
  ...standing,
  ...tests,
  ...webhooks,
} as const;
