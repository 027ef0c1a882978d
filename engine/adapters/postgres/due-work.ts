import { type DueBeside, type DueWork, dueWork } from '../../contract/due-work.ts';
import { stepIsDue } from './campaigns/campaign-store.ts';
import { hasWaiting } from './campaigns/welcome-store.ts';
import { samplesAreDue } from './deliveries/progress-store.ts';
import { findTrue } from './find-true.ts';
import { sendsAreDue } from './outgoing/alert-store.ts';
import { isSendable } from './outgoing/email-store.ts';
import { messagesAreDue } from './outgoing/webhook-store.ts';
import { shardsAreDue } from './plan/release-store.ts';
import { isStale, isStarting } from './plan/schedule-store.ts';
import type { Sql } from './sql.ts';

const conditions: Readonly<Record<DueWork | DueBeside, string>> = {
  schedule: `EXISTS (SELECT FROM deliveries WHERE ${isStarting}) OR EXISTS (SELECT FROM deliveries WHERE ${isStale})
    OR ${shardsAreDue}`,
  campaigns: `EXISTS (SELECT FROM campaigns WHERE kind <> 'feed' AND ${stepIsDue})`,
  feeds: `EXISTS (SELECT FROM campaigns WHERE kind = 'feed' AND ${stepIsDue})`,
  welcomes: `EXISTS (SELECT FROM welcome_templates WHERE ${hasWaiting})`,
  webhooks: messagesAreDue,
  alerts: sendsAreDue,
  emails: `EXISTS (SELECT FROM letters WHERE ${isSendable})`,
  samples: samplesAreDue,
};

/**
 * Names what may be due: never too little, at times too much, since only the statement that takes it knows. Every idle
 * engine looks once a second, with this one statement instead of one for each kind.
 * @param onBeside called for what is due beside sending.
 */
export const createFindDue =
  (sql: Sql, onBeside: (work: DueBeside) => void = () => {}) =>
  async (): Promise<DueWork[]> => {
    const sending: DueWork[] = [];
    for (const work of await findTrue(sql, conditions)) {
      if (isOfSending(work)) sending.push(work);
      else onBeside(work);
    }
    return sending;
  };

const isOfSending = (work: DueWork | DueBeside): work is DueWork =>
  (dueWork as readonly string[]).includes(work);
