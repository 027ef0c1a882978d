import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { noteChange } from '../../auth/audit.ts';
import type { TestLink } from '../../shared/test-browsers/link.ts';
import { type Candidate, registerTestBrowser } from '../../shared/test-browsers/store.ts';
import { type BrowserName, rowParameters, rowsOf } from '../browser-name.ts';

/** @returns false where it is not subscribed, the link has served another browser, or there are too many. */
export function registerByLink(
  database: Database,
  browser: BrowserName,
  { appId, userId, id: link }: TestLink,
  requestId: string,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const organizationId = await ownerOf(sql, { appId, userId });
    if (organizationId === null) return false;
    const rows = await sql.query<Candidate & { status: string }>(
      rowsOf(browser, 'seq, status, browser_name, os_name'),
      rowParameters(appId, browser),
    );
    const candidate = rows.find(({ status }) => status === 'subscribed');
    if (candidate === undefined) return false;
    const registered = await registerTestBrowser(sql, { appId, candidate, name: null, userId, link });
    if (registered.kind !== 'registered') return false;
    if (registered.isNew) {
      const { id, name } = registered.browser;
      const actor = { organizationId, userId, tokenId: null, via: 'service', requestId } as const;
      await noteChange(sql, actor, {
        action: 'test-browser.added',
        subjectId: id,
        appId,
        detail: { name },
      });
    }
    return true;
  });
}

/** The app's organization, as long as whoever made the link is one of it. */
async function ownerOf(
  sql: Sql,
  { appId, userId }: Pick<TestLink, 'appId' | 'userId'>,
): Promise<OrganizationId | null> {
  const [row] = await sql.query<{ id: OrganizationId }>(
    `SELECT organization_id AS id FROM apps WHERE apps.id = $1 AND deleted_at IS NULL
       AND ($2::integer IS NULL OR organization_id = (SELECT organization_id FROM users WHERE users.id = $2))`,
    [appId, userId],
  );
  return row?.id ?? null;
}
