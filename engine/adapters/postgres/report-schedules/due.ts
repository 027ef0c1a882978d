import { hasFinalDays } from '../final-days.ts';
import { findTrue } from '../find-true.ts';
import type { Sql } from '../sql.ts';
import { scheduleIsDue } from './fire.ts';
import { runIsDue } from './runs.ts';

/** Steps of runs, schedules by their kind, and days that became final since schedules were checked. */
export type DueOfSchedules = 'runs' | 'cron' | 'final' | 'days';

const schedules = (kind: string): string =>
  `EXISTS (SELECT FROM report_schedules WHERE ${scheduleIsDue} AND cron IS ${kind})`;

/** Names what may be due: mostly nothing, which is one statement then. */
export const findDueOfSchedules = (sql: Sql): Promise<DueOfSchedules[]> =>
  findTrue(sql, {
    runs: `EXISTS (SELECT FROM report_runs WHERE ${runIsDue})`,
    cron: schedules('NOT NULL'),
    final: schedules('NULL'),
    days: hasFinalDays('schedules'),
  });
