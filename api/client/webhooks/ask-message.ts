import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { countRecentPings, insertPing, replayMessage, type StoredMessage } from './message-store.ts';
import { createOwn, type Missing, the } from './own-webhook.ts';
import { endPause } from './store.ts';

/** Of one organization in a minute: each sends something to somebody. */
export const PINGS_PER_MINUTE = 6;

export type Asked =
  | { readonly kind: 'asked'; readonly message: StoredMessage }
  | { readonly kind: 'disabled' | 'too-many' }
  | Missing;

/** Messages that a person asks for. */
export function createAsks(database: Database) {
  const { ofWebhook } = createOwn(database);
  return {
    ping: (actor: Actor, id: number): Promise<Asked> =>
      ofWebhook(actor, id, async (sql) => {
        if (!(await the(sql, actor, id)).enabled) return { kind: 'disabled' };
        if ((await countRecentPings(sql, actor.organizationId)) >= PINGS_PER_MINUTE)
          return { kind: 'too-many' };
        await endPause(sql, id);
        await noteChange(sql, actor, { action: 'webhook.pinged', subjectId: id });
        return { kind: 'asked', message: await insertPing(sql, id) };
      }),

    replay: (actor: Actor, id: number, messageId: number): Promise<Asked> =>
      ofWebhook(actor, id, async (sql) => {
        if (!(await the(sql, actor, id)).enabled) return { kind: 'disabled' };
        const message = await replayMessage(sql, id, messageId);
        if (message === null) return { kind: 'missing' };
        await endPause(sql, id);
        const detail = { message: messageId, type: message.type };
        await noteChange(sql, actor, { action: 'webhook.replayed', subjectId: id, detail });
        return { kind: 'asked', message };
      }),
  };
}

export type Asks = ReturnType<typeof createAsks>;
