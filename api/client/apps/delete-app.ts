import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { cancelOpenDeliveries, lockApp, markDeleted } from './store.ts';

export type DeleteApp = (
  organizationId: OrganizationId,
  actor: Actor,
  identifier: string,
) => Promise<'deleted' | 'missing'>;

/**
 * One transaction hides the app and cancels its unsent deliveries; engines remove its rows afterwards
 * (`engine/removal/`).
 */
export function createDeleteApp(database: Database): DeleteApp {
  return (organizationId, actor, identifier) =>
    database.transaction(async (sql) => {
      const app = await lockApp(sql, organizationId, identifier);
      if (app === null) return 'missing';
      await markDeleted(sql, app.id);
      const cancelled = await cancelOpenDeliveries(sql, app.id);
      await noteChange(sql, actor, {
        action: 'app.deleted',
        subjectId: identifier,
        appId: app.id,
        detail: { name: app.name, deliveries_cancelled: cancelled },
      });
      return 'deleted';
    });
}
