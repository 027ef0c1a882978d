import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import type { Actor, AuditAction } from '../../../auth/audit.ts';
import type { Found, Page } from '../../../http/page.ts';

export interface AuditFilter {
  readonly organizationId: OrganizationId;
  readonly action: string | null;
  readonly userId: number | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly action: AuditAction;
  readonly subject_id: string;
  readonly app: string | null;
  readonly user_id: number | null;
  readonly user_email: string | null;
  readonly token_id: number | null;
  readonly via: Actor['via'];
  readonly detail: Record<string, unknown>;
  readonly request_id: string | null;
}

const matches = `audit_log.organization_id = $1 AND ($2::text IS NULL OR action = $2)
  AND ($3::integer IS NULL OR user_id = $3) AND ($4::timestamptz IS NULL OR at >= $4)
  AND ($5::timestamptz IS NULL OR at <= $5)`;

/** Newest first. */
export async function listAudit(sql: Sql, filter: AuditFilter, page: Page): Promise<Found<AuditRow>> {
  const values = [filter.organizationId, filter.action, filter.userId, filter.since, filter.until];
  const rows = await sql.query<AuditRow>(
    `SELECT audit_log.id, at, action, subject_id, apps.identifier AS app, user_id, user_email, token_id, via, detail,
       request_id
     FROM audit_log LEFT JOIN apps ON apps.id = app_id
     WHERE ${matches} ORDER BY audit_log.id DESC LIMIT $6 OFFSET $7`,
    [...values, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM audit_log WHERE ${matches}`,
    values,
  );
  return { rows, total: count?.total ?? 0 };
}
