import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, DeliveryId, UserId } from '../../../engine/contract/ids.ts';
import type { Actor } from '../../auth/audit.ts';
import type { StoredApp } from '../apps/store.ts';
import type { DuringQuietHours } from '../deliveries/create/quiet-hours.ts';
import type { Approval, ApprovalState } from './schema.ts';

/** What is approved. */
export type Subject = { readonly delivery: DeliveryId } | { readonly campaign: number };
const isDelivery = (subject: Subject): subject is { readonly delivery: DeliveryId } => 'delivery' in subject;
const columnOf = (subject: Subject): 'delivery_id' | 'campaign_id' =>
  isDelivery(subject) ? 'delivery_id' : 'campaign_id';
const tableOf = (subject: Subject): 'deliveries' | 'campaigns' =>
  isDelivery(subject) ? 'deliveries' : 'campaigns';
const idOf = (subject: Subject): number => (isDelivery(subject) ? subject.delivery : subject.campaign);

/** A rehearsal reaches nobody. */
export const needsApproval = (
  { approval }: Pick<StoredApp, 'approval'>,
  { lane, rehearsal }: { readonly lane: string; readonly rehearsal: boolean },
): boolean => !rehearsal && (approval === 'all' || (approval === 'all_but_breaking' && lane !== 'breaking'));

/**
 * As JSON, in a statement that reads rows of deliveries or campaigns; null: it needs none. Authors are colleagues, as in
 * `engine/adapters/postgres/colleague.ts`.
 */
export const approvalOf = (table: 'deliveries' | 'campaigns'): string => `(
  SELECT json_build_object('state', state, 'asked_at', asked_at, 'decided_at', decided_at, 'decided_by', decided_by,
    'note', note, 'rules', ${table === 'deliveries' ? 'approved_rules' : `settings -> 'options' -> 'approvedRules'`}, 'authors', ARRAY(SELECT email FROM users WHERE users.id = ANY(authors)
      AND users.organization_id = (SELECT organization_id FROM apps WHERE apps.id = ${table}.app_id) ORDER BY email))
  FROM approvals WHERE ${table === 'deliveries' ? 'delivery_id' : 'campaign_id'} = ${table}.id) AS approval`;

/** Times as the API writes them. */
export const approvalResource = (approval: Approval | null): Approval | null =>
  approval === null
    ? null
    : {
        ...approval,
        asked_at: timeOf(approval.asked_at),
        decided_at: approval.decided_at === null ? null : timeOf(approval.decided_at),
      };

const timeOf = (text: string): string => new Date(text).toISOString().replace(/\.\d{3}Z$/, '+00:00');

interface Start {
  readonly during?: DuringQuietHours | null | undefined;
  readonly firstStepAt?: Date;
}

/** Of whoever writes a row for the first time. */
export const authorsOf = ({ userId }: Pick<Actor, 'userId'>): UserId[] => (userId === null ? [] : [userId]);

/** SQL: the authors of a row, and whoever changes it. @param userId a parameter; null: no person does. */
export const authorsWith = (userId: string): string =>
  `CASE WHEN ${userId}::integer IS NULL OR ${userId} = ANY(authors) THEN authors ELSE authors || ${userId}::integer END`;

export interface Written {
  readonly authors: readonly UserId[];
  /** Nobody has approved it, or it is a rehearsal. What was sent without being asked about is not open. */
  readonly isOpen: boolean;
}

/** Under the lock of the row that it is about, which a decision takes first, too. */
export async function readWritten(sql: Sql, subject: Subject): Promise<Written> {
  const rehearsal = isDelivery(subject)
    ? 'rehearsal'
    : `coalesce((settings -> 'options' ->> 'rehearsal')::boolean, false)`;
  const [row] = await sql.query<Written>(
    `SELECT written.authors || coalesce(approvals.authors, '{}') AS authors,
       CASE WHEN approvals.id IS NULL THEN ${rehearsal} ELSE state <> 'approved' END AS "isOpen"
     FROM ${tableOf(subject)} AS written LEFT JOIN approvals ON ${columnOf(subject)} = written.id WHERE written.id = $1`,
    [idOf(subject)],
  );
  return row ?? { authors: [], isOpen: false };
}

/**
 * It was written, or rewritten: an earlier approval is void, and its authors stay its authors.
 *
 * What waits for a second person lives in `approvals`: the delivery is `pending` without a row in the outbox, the
 * campaign has no next step. If its owner dies, nothing starts it; the approval and the start are one transaction.
 */
export async function askForApproval(
  sql: Sql,
  appId: AppId,
  subject: Subject,
  { during = null, firstStepAt }: Start,
): Promise<void> {
  const column = columnOf(subject);
  await sql.query(
    `INSERT INTO approvals (app_id, ${column}, authors, during_quiet_hours, first_step_at)
     SELECT $1::integer, id, authors, $3::text, $4::timestamptz FROM ${tableOf(subject)} WHERE id = $2
     ON CONFLICT (${column}) DO UPDATE SET state = 'waiting', asked_at = now(), decided_at = NULL, decided_by = NULL,
       note = NULL, authors = ARRAY(SELECT DISTINCT unnest(approvals.authors || excluded.authors)),
       during_quiet_hours = coalesce(excluded.during_quiet_hours, approvals.during_quiet_hours),
       first_step_at = excluded.first_step_at`,
    [appId, idOf(subject), during, firstStepAt ?? null],
  );
}

export interface LockedApproval {
  readonly state: ApprovalState;
  readonly authors: readonly UserId[];
  readonly during_quiet_hours: DuringQuietHours | null;
  readonly first_step_at: Date | null;
}

/** After the row that it is for. Null: it needs none. */
export async function lockApproval(sql: Sql, subject: Subject): Promise<LockedApproval | null> {
  const [row] = await sql.query<LockedApproval>(
    `SELECT state, authors, during_quiet_hours, first_step_at FROM approvals WHERE ${columnOf(subject)} = $1 FOR UPDATE`,
    [idOf(subject)],
  );
  return row ?? null;
}

export async function noteDecision(
  sql: Sql,
  subject: Subject,
  { userId }: Actor,
  { state, note }: { readonly state: ApprovalState; readonly note: string | null },
): Promise<void> {
  await sql.query(
    `UPDATE approvals SET state = $2, note = $3, decided_at = now(),
       decided_by = (SELECT email FROM users WHERE id = $4) WHERE ${columnOf(subject)} = $1`,
    [idOf(subject), state, note, userId],
  );
}

/** What waits says something else now: whoever has read it before reads it again. After the change of its segment. */
export async function raiseVersions(sql: Sql, appId: AppId, segmentId: number): Promise<void> {
  const waiting = (column: string): string =>
    `id IN (SELECT ${column} FROM approvals WHERE app_id = $1 AND state = 'waiting') AND segment_id = $2`;
  for (const statement of [
    `UPDATE deliveries SET changes = changes + 1 WHERE status = 'pending' AND ${waiting('delivery_id')}`,
    `UPDATE campaigns SET step = step + 1 WHERE status = 'scheduled' AND ${waiting('campaign_id')}`,
  ])
    await sql.query(statement, [appId, segmentId]);
}

/** Deliveries and campaigns of an app that wait for somebody. */
export async function countWaiting(sql: Sql, appId: AppId): Promise<number> {
  const [row] = await sql.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM approvals
       LEFT JOIN deliveries ON deliveries.id = delivery_id LEFT JOIN campaigns ON campaigns.id = campaign_id
     WHERE approvals.app_id = $1 AND state = 'waiting'
       AND coalesce(deliveries.status, campaigns.status) IN ('pending', 'scheduled')`,
    [appId],
  );
  return row?.waiting ?? 0;
}
