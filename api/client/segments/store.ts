import {
  audiencePredicate,
  countedIn,
  type ReachMaps,
} from '../../../engine/adapters/postgres/deliveries/audience.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { type AudienceRules, parseRules } from '../../../engine/contract/audience.ts';
import {
  type Audience,
  type AudienceAsked,
  freezeAudience,
} from '../../../engine/contract/frozen-audience.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Found, Page } from '../../http/page.ts';
import type { SegmentBody, SegmentChanges } from './schema.ts';

export interface StoredSegment {
  readonly id: number;
  readonly name: string;
  readonly rules: SegmentBody['rules'];
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, name, rules, created_at, updated_at`;

/** Newest first. */
export async function listSegments(sql: Sql, appId: AppId, page: Page): Promise<Found<StoredSegment>> {
  const rows = await sql.query<StoredSegment>(
    `SELECT ${columns} FROM segments WHERE app_id = $1 AND deleted_at IS NULL
     ORDER BY id DESC LIMIT $2 OFFSET $3`,
    [appId, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM segments WHERE app_id = $1 AND deleted_at IS NULL`,
    [appId],
  );
  return { rows, total: count?.total ?? 0 };
}

export async function findSegment(sql: Sql, appId: AppId, id: number): Promise<StoredSegment | null> {
  const [row] = await sql.query<StoredSegment>(
    `SELECT ${columns} FROM segments WHERE app_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [appId, id],
  );
  return row ?? null;
}

/** As somebody approves what goes to it: kept with that, whatever the segment says later. Null: it goes to no segment. */
export async function rulesNow(sql: Sql, appId: AppId, id: number | null): Promise<AudienceRules | null> {
  if (id === null) return null;
  const segment = await findSegment(sql, appId, id);
  if (segment === null) throw new Error(`segment ${id} is gone while something goes to it`);
  return parseRules(segment.rules);
}

/** For the audit log: to whom a decision let something go. */
export async function segmentDetail(
  sql: Sql,
  appId: AppId,
  id: number | null,
): Promise<{ readonly segment?: string; readonly segment_changed_at?: string }> {
  const segment = id === null ? null : await findSegment(sql, appId, id);
  if (segment === null) return {};
  return { segment: segment.name, segment_changed_at: segment.updated_at.toISOString() };
}

export async function insertSegment(sql: Sql, appId: AppId, body: SegmentBody): Promise<StoredSegment> {
  const [row] = await sql.query<StoredSegment>(
    `INSERT INTO segments (app_id, name, rules) VALUES ($1, $2, $3) RETURNING ${columns}`,
    [appId, body.name, JSON.stringify(body.rules)],
  );
  if (row === undefined) throw new Error('the segment just inserted is not there');
  return row;
}

/** Absent fields keep their value. */
export async function updateSegment(
  sql: Sql,
  appId: AppId,
  id: number,
  { name, rules }: SegmentChanges,
): Promise<StoredSegment | null> {
  const [row] = await sql.query<StoredSegment>(
    `UPDATE segments SET name = coalesce($3, name), rules = coalesce($4, rules), updated_at = now()
     WHERE app_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING ${columns}`,
    [appId, id, name, rules === undefined ? null : JSON.stringify(rules)],
  );
  return row ?? null;
}

/** Those of `ids` that are living delivery categories of the app. */
export async function knownCategories(
  sql: Sql,
  appId: AppId,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await sql.query<{ id: number }>(
    `SELECT id FROM delivery_categories WHERE app_id = $1 AND id = ANY($2::integer[]) AND deleted_at IS NULL`,
    [appId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Those of `ids` that are deliveries of the app. */
export async function knownDeliveries(
  sql: Sql,
  appId: AppId,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await sql.query<{ id: number }>(
    `SELECT id FROM deliveries WHERE app_id = $1 AND id = ANY($2::bigint[])`,
    [appId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The audience that a delivery of the app would get if it were planned now. */
export async function audienceNow(sql: Sql, appId: AppId, asked: AudienceAsked): Promise<Audience | null> {
  const [app] = await sql.query<{ at: Date }>(`SELECT now() AS at FROM apps WHERE id = $1`, [appId]);
  if (app === undefined) throw new Error(`app ${appId} is gone while its audience is counted`);
  return freezeAudience(asked, app.at);
}

export interface AudienceCount {
  readonly count: number;
  /** Subscriptions that stated categories, and those of them in the audience; the others never stated any. */
  readonly chose: number;
}

/** Reads each subscription of the app. */
export async function countAudience(
  sql: Sql,
  appId: AppId,
  audience: Audience,
  reaches: ReachMaps,
): Promise<AudienceCount> {
  const matches = audiencePredicate(audience, 1, reaches);
  const chose = audience.category_id === null ? '0' : 'count(category_ids)';
  const [row] = await sql.query<AudienceCount>(
    `SELECT count(*) AS count, ${chose} AS chose FROM ${countedIn(audience)}
     WHERE app_id = $1 AND status = 'subscribed' AND ${matches.text}`,
    [appId, ...matches.values],
  );
  return row ?? { count: 0, chose: 0 };
}
