import { IS_COUNTED } from '../../../../engine/adapters/postgres/deliveries/counted.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import { type Site, siteOf } from '../../../shared/revenue/site.ts';

/** Apps of the app's organization with the same site, itself among them: their readers come to the same pages. */
export async function appsOfSite(sql: Sql, appId: AppId, site: Site): Promise<readonly AppId[]> {
  const apps = await sql.query<{ readonly id: AppId; readonly site_domain: string }>(
    `SELECT sibling.id, sibling.site_domain FROM apps
     JOIN apps AS sibling ON sibling.organization_id = apps.organization_id AND sibling.deleted_at IS NULL
     WHERE apps.id = $1`,
    [appId],
  );
  return apps.filter(({ site_domain }) => siteOf(site_domain).name === site.name).map(({ id }) => id);
}

export interface LinkedDelivery {
  readonly id: DeliveryId;
  readonly app_id: AppId;
  readonly identifier: string;
  readonly title: string;
  readonly url: string;
  /** When it was due, UTC. */
  readonly date: string;
}

/** Those of them that count in an app's figures. */
export const findLinked = (
  sql: Sql,
  appIds: readonly AppId[],
  ids: readonly DeliveryId[],
): Promise<LinkedDelivery[]> =>
  sql.query<LinkedDelivery>(
    `SELECT id, app_id, identifier, title, url,
       to_char(coalesce(scheduled_at, created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date
     FROM deliveries WHERE app_id = ANY($1::integer[]) AND id = ANY($2::bigint[]) AND ${IS_COUNTED}`,
    [appIds, ids],
  );

/** Whether a page lies on the site: on its host, with or without `www.`, or below it. */
export function leadsTo({ name }: Site, url: string): boolean {
  const landing = siteOf(url).name;
  return landing === name || landing.endsWith(`.${name}`);
}
