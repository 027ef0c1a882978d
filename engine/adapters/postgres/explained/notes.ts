import { ofColleague } from '../colleague.ts';
import type { Sql } from '../sql.ts';

/** Two sources and a row of their comparison. */
export interface NotePlace {
  readonly sources: readonly [string, string];
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** As it is stored: lower case, ASCII. */
  readonly domain: string;
}

export interface Note {
  readonly reason: string;
  /** The author's name; null where they have left. */
  readonly written_by: string | null;
  readonly written_at: Date;
  /** Rises with each change. */
  readonly version: number;
}

/** By bytes, as the table checks it. */
const pairOf = ([one, other]: readonly [string, string]): [string, string] =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0 ? [one, other] : [other, one];

const organizationOf = '(SELECT organization_id FROM users WHERE id = $1)';
const noteFields = `reason, ${ofColleague('name', 'kept.written_by', 'kept.organization_id')} AS written_by, written_at, version`;

/** The notes of the user's organization on these rows. */
export function findNotes(
  sql: Sql,
  userId: number,
  sources: readonly [string, string],
  rows: readonly { readonly day: string; readonly domain: string }[],
): Promise<(Note & { readonly day: string; readonly domain: string })[]> {
  return sql.query(
    `SELECT day::text AS day, domain, ${noteFields} FROM discrepancy_notes AS kept
     WHERE organization_id = ${organizationOf} AND first_source = $2 AND second_source = $3
       AND (day, domain) IN (SELECT * FROM unnest($4::date[], $5::text[]))`,
    [userId, ...pairOf(sources), rows.map(({ day }) => day), rows.map(({ domain }) => domain)],
  );
}

/**
 * One statement, so that of two people who write at once one is first: the other has seen an earlier version.
 * @param version the one that the writer saw; 0: none.
 * @returns null where the note has another version now.
 */
export async function writeNote(
  sql: Sql,
  userId: number,
  { sources, day, domain }: NotePlace,
  { reason, version }: { readonly reason: string; readonly version: number },
): Promise<Note | null> {
  const place = [userId, ...pairOf(sources), day, domain];
  const [written] =
    version === 0
      ? await sql.query<Note>(
          `INSERT INTO discrepancy_notes AS kept
             (organization_id, first_source, second_source, day, domain, reason, written_by)
           VALUES (${organizationOf}, $2, $3, $4, $5, $6, $1) ON CONFLICT DO NOTHING RETURNING ${noteFields}`,
          [...place, reason],
        )
      : await sql.query<Note>(
          `UPDATE discrepancy_notes AS kept SET reason = $6, version = version + 1, written_by = $1, written_at = now()
           WHERE ${atPlace} AND version = $7 RETURNING ${noteFields}`,
          [...place, reason, version],
        );
  return written ?? null;
}

const atPlace = `organization_id = ${organizationOf} AND first_source = $2 AND second_source = $3 AND day = $4 AND domain = $5`;

/** @returns false where the note has another version now. */
export async function removeNote(
  sql: Sql,
  userId: number,
  { sources, day, domain }: NotePlace,
  version: number,
): Promise<boolean> {
  const removed = await sql.query(
    `DELETE FROM discrepancy_notes WHERE ${atPlace} AND version = $6 RETURNING 1`,
    [userId, ...pairOf(sources), day, domain, version],
  );
  return removed.length === 1;
}
