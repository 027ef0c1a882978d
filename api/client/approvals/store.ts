import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, DeliveryId, UserId } from '../../../engine/contract/ids.ts';
import type { Actor } from '../../auth/audit.ts';
import type { StoredApp } from '../apps/store.ts';
import type { DuringQuietHours } from '../deliveries/quiet-hours.ts';
import type { Approval, ApprovalState } from './schema.ts';

/** What is approved. */
export type Subject = { readonly delivery: DeliveryId } | { readonly campaign: number };
const isDelivery = (subject: Subject): subject is { readonly delivery: DeliveryId } => 'delivery' in subject;
const columnOf = (subject: Subject): 'delivery_id' | 'campaign_id' =>
  isDelivery(subject) ? 'delivery_id' : 'campaign_id';
const idOf = (subject: Subject): number => (isDelivery(subject) ? subject.delivery : subject.campaign);

/** A rehearsal reaches nobody. */
export const needsApproval = (
  { approval }: Pick<StoredApp, 'approval'>,
  { lane, rehearsal }: { readonly lane: string; readonly rehearsal: boolean },
): boolean => !rehearsal && (approval === 'all' || (approval === 'all_but_breaking' && lane !== 'breaking'));

/** As JSON, in a statement that reads rows of deliveries or campaigns; null: it needs none. */
export const approvalOf = (table: 'deliveries' | 'campaigns'): string => `(
  SELECT json_build_object('state', state, 'asked_at', asked_at, 'decided_at', decided_at, 'decided_by', decided_by,
    'note', note, 'authors', ARRAY(SELECT email FROM users WHERE users.id = ANY(authors) ORDER BY email))
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

/** It was written, or written anew: an earlier approval is void, and its authors stay its authors. */
export async function askForApproval(
  sql: Sql,
  appId: AppId,
  subject: Subject,
  { userId }: Actor,
  { during = null, firstStepAt }: Start,
): Promise<void> {
  const column = columnOf(subject);
  await sql.query(
    `INSERT INTO approvals (app_id, ${column}, authors, during_quiet_hours, first_step_at)
     VALUES ($1, $2, array_remove(ARRAY[$3::integer], NULL), $4, $5)
     ON CONFLICT (${column}) DO UPDATE SET state = 'waiting', asked_at = now(), decided_at = NULL, decided_by = NULL,
       note = NULL, authors = ARRAY(SELECT DISTINCT unnest(approvals.authors || excluded.authors)),
       during_quiet_hours = coalesce(excluded.during_quiet_hours, approvals.during_quiet_hours),
       first_step_at = excluded.first_step_at`,
    [appId, idOf(subject), userId, during, firstStepAt ?? null],
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
