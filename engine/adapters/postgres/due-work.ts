import type { DueWork } from '../../contract/due-work.ts';
import { stepIsDue } from './campaigns/campaign-store.ts';
import { hasWaiting } from './campaigns/welcome-store.ts';
import { findTrue } from './find-true.ts';
import { shardsAreDue } from './plan/release-store.ts';
import { isStale, isStarting } from './plan/schedule-store.ts';
import type { Sql } from './sql.ts';

const conditions: Readonly<Record<DueWork, string>> = {
  schedule: `EXISTS (SELECT FROM deliveries WHERE ${isStarting}) OR EXISTS (SELECT FROM deliveries WHERE ${isStale})
    OR ${shardsAreDue}`,
  campaigns: `EXISTS (SELECT FROM campaigns WHERE kind <> 'feed' AND ${stepIsDue})`,
  feeds: `EXISTS (SELECT FROM campaigns WHERE kind = 'feed' AND ${stepIsDue})`,
  welcomes: `EXISTS (SELECT FROM welcome_templates WHERE ${hasWaiting})`,
};
/**
 * Names what may be due: never too little, at times too much, since only the statement that takes it knows. Every idle
 * engine looks twice a second, with this one statement instead of one for each kind.
 */
export const createFindDue = (sql: Sql) => (): Promise<DueWork[]> => findTrue(sql, conditions);
