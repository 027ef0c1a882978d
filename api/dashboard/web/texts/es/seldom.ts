import { alerts } from './alerts.ts';
import { audit } from './audit.ts';

import { passkeys } from './passkeys.ts';
import { prompts } from './prompts.ts';
import { provider } from './provider.ts';
import { reportChecks } from './report-checks.ts';
import { reportSchedules } from './report-schedules.ts';
import { reports } from './reports.ts';
import { secondFactor } from './second-factor.ts';
import { standing } from './standing.ts';
import { tests } from './tests.ts';
import { webhooks } from './webhooks.ts';
import { welcome } from './welcome.ts';

/** What pages say that few people go to. */
export const seldom = {
  ...alerts,
  ...audit,
  ...reportChecks,
  ...reportSchedules,
  ...passkeys,
  ...prompts,
  ...provider,
  ...reports,
  ...standing,
  ...secondFactor,
  ...tests,
  ...webhooks,
  ...welcome,
} as const;
