import type { Sql } from '../../engine/adapters/postgres/database.ts';
import { type AppId, toId } from '../../engine/contract/ids.ts';

export interface PublicApp {
  readonly id: AppId;
  readonly identifier: string;
}

/** Decides which pages may speak for which app: exactly the one at its site_domain. */
export interface OriginCheck {
  /** For preflights, which name no app: whether any app has this origin. */
  isKnownOrigin(origin: string): Promise<boolean>;
  /** Null where the app is missing or has another origin; the two are not told apart. */
  appOfOrigin(identifier: string, origin: string): Promise<PublicApp | null>;
}

export function createOriginCheck(sql: Sql, options: { readonly allowLocalhost: boolean }): OriginCheck {
  const isLocal = (origin: string): boolean => options.allowLocalhost && isLocalhost(origin);
  return {
    isKnownOrigin: async (origin) => {
      if (isLocal(origin)) return true;
      return (await sql.query(`SELECT 1 FROM apps WHERE site_domain = $1 LIMIT 1`, [origin])).length === 1;
    },
    appOfOrigin: async (identifier, origin) => {
      const [row] = await sql.query<{ id: number }>(
        `SELECT id FROM apps WHERE identifier = $1 AND (site_domain = $2 OR $3)`,
        [identifier, origin, isLocal(origin)],
      );
      return row === undefined ? null : { id: toId(row.id), identifier };
    },
  };
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

function isLocalhost(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.origin === origin && loopbackHosts.includes(url.hostname);
}
