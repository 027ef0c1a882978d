import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { raiseVersions } from '../approvals/store.ts';
import { readRules } from './read-rules.ts';
import { type Deletion, deleteReferred } from './references.ts';
import type { SegmentBody, SegmentChanges } from './schema.ts';
import { findSegment, insertSegment, type StoredSegment, updateSegment } from './store.ts';

type Refused = { readonly kind: 'refused'; readonly errors: FieldErrors };
export type SegmentSaved = { readonly kind: 'saved'; readonly segment: StoredSegment } | Refused;
export type SegmentUpdated = SegmentSaved | { readonly kind: 'missing' };

/** Changes of segments. A delivery keeps the rules that its segment had when it was approved, otherwise when it was planned. */
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
        // Before the body is validated: another organization's segment must look like a missing one.
        if ((await findSegment(sql, appId, id)) === null) return { kind: 'missing' };
        const read = changes.rules === undefined ? null : await readRules(sql, appId, changes.rules);
        if (read?.kind === 'refused') return read;
        const segment = await updateSegment(sql, appId, id, {
          ...changes,
          ...(read === null ? {} : { rules: read.rules }),
        });
        if (segment === null) return { kind: 'missing' };
        if (read !== null) await raiseVersions(sql, appId, id);
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
  };
}
