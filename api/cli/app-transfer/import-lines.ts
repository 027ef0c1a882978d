import type { AudienceRules } from '../../../engine/contract/audience.ts';
import { isGroup } from '../../../engine/contract/audience.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { ImportRecord } from '../../../engine/kit/command-line/file/records.ts';
import type { Refusal } from '../../../engine/kit/command-line/file/report.ts';
import type { ImportCounts } from '../import/run-import.ts';
import {
  readCategory,
  readEnd,
  readPicture,
  readPrompts,
  readSegment,
  readWelcome,
  type TransferSegment,
} from './format.ts';
import { type ImportAppDeps, type ImportAppRequest, type OpenedApp, openApp } from './import-app.ts';
import { ensurePicture } from './import-picture.ts';
import {
  ensureCategory,
  ensurePrompts,
  ensureSegment,
  ensureWelcome,
  insertSubscriptions,
} from './import-store.ts';
import { parseSubscriptionLine, type TransferSubscription } from './subscription-line.ts';

export interface ImportLinesDeps extends ImportAppDeps {
  /** Our own address, where pictures are served. */
  readonly base: string;
  readonly onRefusal: (refusal: Refusal) => Promise<void> | void;
  readonly onProgress: (counts: ImportCounts) => void;
}

export interface ImportedFile {
  readonly app: OpenedApp;
  readonly counts: ImportCounts;
}

/** Subscriptions in one transaction. */
const LINES_PER_BATCH = 1_000;
/** A batch loses at most to browsers that subscribe in this very moment. */
const MAX_TRIES = 3;

/**
 * Reads the file to its end. An interrupted import can be run again: existing rows are left as they are.
 * @throws CliError where it is not such a file, or its end is missing: the lines read so far are imported.
 */
export async function importLines(
  pieces: AsyncIterable<ImportRecord[]>,
  request: ImportAppRequest,
  deps: ImportLinesDeps,
): Promise<ImportedFile> {
  const counts = { lines: 0, inserted: 0, updated: 0, refused: 0 };
  const seen: Seen = { categoryIds: new Map(), pictures: new Map() };
  let app: OpenedApp | null = null;
  let batch = new Map<string, TransferSubscription>();
  let whole = false;

  const flush = async (to: OpenedApp): Promise<void> => {
    const rows = [...batch.values()];
    batch = new Map();
    const inserted = rows.length === 0 ? 0 : await insertBatch(deps, to, rows);
    counts.inserted += inserted;
    counts.updated += rows.length - inserted;
    deps.onProgress(counts);
  };
  const refuse = async ({ line, raw }: ImportRecord, reason: string): Promise<void> => {
    counts.refused++;
    await deps.onRefusal({ line, reason, raw });
  };

  for await (const records of pieces) {
    for (const record of records) {
      const value = 'unreadable' in record ? null : record.value;
      if (app === null) {
        app = await openApp(value, request, deps);
        continue;
      }
      if (await takePart(deps, app, value, seen)) continue;
      const end = readEnd(value);
      if (end !== null) {
        whole = end.subscriptions === counts.lines;
        continue;
      }
      counts.lines++;
      const context = { policy: deps.policy, keyNumbers: app.keyNumbers, categoryIds: seen.categoryIds };
      const row = 'unreadable' in record ? record.unreadable : parseSubscriptionLine(value, context);
      if (typeof row === 'string') await refuse(record, row);
      else batch.set(row.endpoint, row);
      if (batch.size === LINES_PER_BATCH) await flush(app);
    }
  }
  if (app === null) throw new CliError('the file is empty');
  await flush(app);
  if (!whole)
    throw new CliError('the file is truncated: its complete lines are imported, and the rest is missing');
  return { app, counts };
}

interface Seen {
  /** Of the file → of the app. */
  readonly categoryIds: Map<number, number>;
  /** What has been read of a picture, by its field, and how many pieces are to come. */
  readonly pictures: Map<string, { readonly file: string; readonly left: number }>;
}

/** What comes before the subscriptions. @returns whether the line was such a one. */
async function takePart(
  { database, base }: ImportLinesDeps,
  app: OpenedApp,
  value: unknown,
  { categoryIds, pictures }: Seen,
): Promise<boolean> {
  const category = readCategory(value)?.category;
  if (category !== undefined) {
    categoryIds.set(category.id, await ensureCategory(database, app.id, category));
    return true;
  }
  const picture = readPicture(value)?.picture;
  if (picture !== undefined) {
    const { field, piece, left } = picture;
    const before = pictures.get(field);
    // So a file has no more pieces than its first one says, which is bounded.
    if (before !== undefined && left !== before.left - 1)
      throw new CliError(`the pieces of ${field} in the file are not in their order`);
    const file = `${before?.file ?? ''}${piece}`;
    if (left === 0) {
      pictures.delete(field);
      await ensurePicture(database, app.id, { field, file, base });
    } else pictures.set(field, { file, left });
    return true;
  }
  const prompts = readPrompts(value)?.prompts;
  if (prompts !== undefined) {
    await ensurePrompts(database, app.id, prompts);
    return true;
  }
  const welcome = readWelcome(value)?.welcome;
  if (welcome !== undefined) {
    await ensureWelcome(database, app.id, welcome);
    return true;
  }
  const segment = readSegment(value)?.segment;
  if (segment === undefined) return false;
  const rules = withCategories(segment.rules, categoryIds) as TransferSegment['rules'];
  await ensureSegment(database, app.id, { ...segment, rules });
  return true;
}

/** A deleted category keeps a number that no category has: it still matches no one. */
function withCategories(group: AudienceRules, categoryIds: ReadonlyMap<number, number>): AudienceRules {
  const conditions = group.conditions.map((member) => {
    if (isGroup(member)) return withCategories(member, categoryIds);
    if (member.field !== 'category') return member;
    return { ...member, category_id: categoryIds.get(member.category_id) ?? NO_CATEGORY };
  });
  return { ...group, conditions } as AudienceRules;
}

const NO_CATEGORY = 2_147_483_647;

async function insertBatch(
  { database }: ImportLinesDeps,
  app: OpenedApp,
  rows: readonly TransferSubscription[],
): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await insertSubscriptions(database, app.id, rows);
    } catch (error) {
      if (tries === MAX_TRIES || (error as { code?: unknown }).code !== '23505') throw error;
    }
  }
}
