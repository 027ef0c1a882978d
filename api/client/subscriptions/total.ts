import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { StoredApp } from '../apps/store.ts';
import type { SubscriptionFilters } from './schema.ts';
import { filterNames, select } from './selection.ts';

interface Asked {
  readonly filters: SubscriptionFilters;
  readonly searchedSeq: number | null;
}

/** How many there are of all pages. */
export async function readTotal(sql: Sql, app: StoredApp, asked: Asked): Promise<number> {
  return knownTotal(app, asked.filters) ?? (await count(sql, app.id, asked));
}

/** The app's counts are kept with every change, in its transaction. */
function knownTotal(app: StoredApp, filters: SubscriptionFilters): number | null {
  const names = filterNames(filters);
  if (names.length === 0) return app.subscriber_count;
  if (names.length > 1 || filters.status === undefined) return null;
  const active = app.active_subscriber_count;
  return filters.status === 'subscribed' ? active : app.subscriber_count - active;
}

/** Without the sort's table: only the filters decide how many there are. */
async function count(sql: Sql, appId: AppId, { filters, searchedSeq }: Asked): Promise<number> {
  const { from, values } = select(appId, { filters, searchedSeq, sort: null });
  const [row] = await sql.query<{ total: number }>(`SELECT count(*) AS total ${from}`, values);
  return row?.total ?? 0;
}
