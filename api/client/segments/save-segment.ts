import type { FieldErrors } from '../../../engine/adapters/http/problem.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { readRules } from './read-rules.ts';
import { type Deletion, deleteReferred, missingReferences } from './references.ts';
import type { PreviewBody, SegmentBody, SegmentChanges } from './schema.ts';
import {
  audienceNow,
  countAudience,
  findSegment,
  insertSegment,
  type StoredSegment,
  updateSegment,
} from './store.ts';

type Refused = { readonly kind: 'refused'; readonly errors: FieldErrors };
export type SegmentSaved = { readonly kind: 'saved'; readonly segment: StoredSegment } | Refused;
export type SegmentUpdated = SegmentSaved | { readonly kind: 'missing' };
export interface Count {
  readonly count: number;
  readonly chose_category: number | null;
}
export type Counted = { readonly kind: 'counted'; readonly count: Count } | Refused;

/** Long enough for a million subscriptions on a busy machine, short enough that few of them pile up. */
const COUNT_TIMEOUT_MS = 5_000;

/** What is done to segments. A delivery keeps the rules that its segment had when it was planned. */
export function createSegments(database: Database) {
  return {
    create: (actor: Actor, appId: AppId, body: SegmentBody): Promise<SegmentSaved> =>
      database.transaction(async (sql) => {
        const read = await readRules(sql, appId, body.rules);
        if (read.kind === 'refused') return read;
        const segment = await insertSegment(sql, appId, { name: body.name, rules: read.rules });
        const detail = { name: segment.name };
        await noteChange(sql, actor, { action: 'segment.created', subjectId: segment.id, appId, detail });
        return { kind: 'saved', segment };
      }),

    update: (actor: Actor, appId: AppId, id: number, changes: SegmentChanges): Promise<SegmentUpdated> =>
      database.transaction(async (sql) => {
        // Before what the body says: another organization's segment must not be told from a missing one.
        if ((await findSegment(sql, appId, id)) === null) return { kind: 'missing' };
        const read = changes.rules === undefined ? null : await readRules(sql, appId, changes.rules);
        if (read?.kind === 'refused') return read;
        const segment = await updateSegment(sql, appId, id, {
          ...changes,
          ...(read === null ? {} : { rules: read.rules }),
        });
        if (segment === null) return { kind: 'missing' };
        const detail = { name: segment.name };
        await noteChange(sql, actor, { action: 'segment.updated', subjectId: id, appId, detail });
        return { kind: 'saved', segment };
      }),

    remove: (actor: Actor, appId: AppId, id: number): Promise<Deletion> =>
      database.transaction(async (sql) => {
        const ending = await deleteReferred(sql, 'segments', appId, id);
        if (ending === 'deleted') {
          await noteChange(sql, actor, { action: 'segment.deleted', subjectId: id, appId });
        }
        return ending;
      }),

    /** How many a delivery would go to now, before the frequency cap. */
    preview: (appId: AppId, body: PreviewBody): Promise<Counted> =>
      database.transaction(async (sql) => {
        const missing = await missingReferences(sql, appId, {
          delivery_category_id: body.delivery_category_id,
        });
        if (missing !== null) return { kind: 'refused', errors: missing };
        const read = body.rules === undefined ? null : await readRules(sql, appId, body.rules);
        if (read?.kind === 'refused') return read;
        const categoryId = body.delivery_category_id ?? null;
        const audience = await audienceNow(sql, appId, { rules: read?.rules ?? null, categoryId });
        const { count, chose } = await countAudience(sql, appId, audience, COUNT_TIMEOUT_MS);
        return { kind: 'counted', count: { count, chose_category: categoryId === null ? null : chose } };
      }),
  };
}
