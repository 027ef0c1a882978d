import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { Actor } from '../../auth/audit.ts';
import { lockOrganization } from '../../auth/locks.ts';
import { findWebhook, lockWebhook, type StoredWebhook } from './store.ts';

/** The organization has no such webhook. */
export type Missing = { readonly kind: 'missing' };

/** Changes in one transaction, with the organization locked, and then its webhook. */
export function createOwn(database: Database) {
  return { locked, ofWebhook };

  function locked<Result>({ organizationId }: Actor, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return database.transaction(async (sql) => {
      await lockOrganization(sql, organizationId);
      return work(sql);
    });
  }

  function ofWebhook<Result>(
    actor: Actor,
    id: number,
    work: (sql: Sql) => Promise<Result>,
  ): Promise<Result | Missing> {
    return locked(actor, async (sql) =>
      (await lockWebhook(sql, actor.organizationId, id)) ? work(sql) : { kind: 'missing' },
    );
  }
}

export async function the(sql: Sql, { organizationId }: Actor, id: number): Promise<StoredWebhook> {
  const webhook = await findWebhook(sql, organizationId, id);
  if (webhook === null) throw new Error(`webhook ${id} is gone while it is locked`);
  return webhook;
}
