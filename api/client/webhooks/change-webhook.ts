import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { WebhookType } from '../../../engine/contract/webhooks.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { newWebhookSecret, receiverUrl } from '../../auth/webhook-secret.ts';
import { createOwn, type Missing, the } from './own-webhook.ts';
import {
  countWebhooks,
  deleteWebhook,
  insertWebhook,
  rotateSecret,
  type StoredWebhook,
  updateWebhook,
} from './store.ts';

/** Of one organization. */
const MAX_WEBHOOKS = 20;

interface Wanted {
  readonly url: string;
  readonly description?: string;
  readonly types: readonly WebhookType[];
}
interface Changes {
  readonly url?: string;
  readonly description?: string;
  readonly types?: readonly WebhookType[];
  readonly enabled?: boolean;
}

type Refused = { readonly kind: 'refused'; readonly errors: FieldErrors };
export type WithSecret = {
  readonly kind: 'made';
  readonly webhook: StoredWebhook;
  readonly secret: string;
};
export type Changed = { readonly kind: 'changed'; readonly webhook: StoredWebhook };
export interface WebhookDeps {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly publicAddresses: Pick<PublicAddresses, 'allows'>;
}

/** Each change with its audit entry, in one transaction with the organization locked. */
export function createWebhooks({ database, sealer, publicAddresses }: WebhookDeps) {
  const { locked, ofWebhook } = createOwn(database);
  return {
    create: async (actor: Actor, wanted: Wanted): Promise<WithSecret | Refused> => {
      const url = receiverUrl(publicAddresses, wanted.url);
      if (url === null) return badUrl;
      return locked(actor, async (sql) => {
        if ((await countWebhooks(sql, actor.organizationId)) >= MAX_WEBHOOKS) return tooMany;
        const { key, shown } = newWebhookSecret();
        const row = {
          url: url.href,
          description: wanted.description ?? '',
          types: unique(wanted.types),
          key,
        };
        const id = await insertWebhook(sql, sealer, actor.organizationId, row);
        const detail = { url: shownUrl(url.href), types: row.types };
        await noteChange(sql, actor, { action: 'webhook.created', subjectId: id, detail });
        return { kind: 'made', webhook: await the(sql, actor, id), secret: shown };
      });
    },

    change: async (actor: Actor, id: number, changes: Changes): Promise<Changed | Refused | Missing> => {
      const { description, types, enabled } = changes;
      const url = changes.url === undefined ? undefined : receiverUrl(publicAddresses, changes.url);
      return ofWebhook(actor, id, async (sql) => {
        if (url === null) return badUrl;
        await updateWebhook(sql, id, {
          url: url?.href ?? null,
          description: description ?? null,
          types: types === undefined ? null : unique(types),
          enabled: enabled ?? null,
        });
        const detail = { url: url === undefined ? undefined : shownUrl(url.href), types, enabled };
        await noteChange(sql, actor, { action: 'webhook.updated', subjectId: id, detail });
        return { kind: 'changed', webhook: await the(sql, actor, id) };
      });
    },

    remove: (actor: Actor, id: number): Promise<{ readonly kind: 'removed' } | Missing> =>
      ofWebhook(actor, id, async (sql) => {
        const { url } = await the(sql, actor, id);
        await deleteWebhook(sql, id);
        const detail = { url: shownUrl(url) };
        await noteChange(sql, actor, { action: 'webhook.deleted', subjectId: id, detail });
        return { kind: 'removed' };
      }),

    rotate: (actor: Actor, id: number): Promise<WithSecret | Missing> =>
      ofWebhook(actor, id, async (sql) => {
        const { key, shown } = newWebhookSecret();
        await rotateSecret(sql, sealer, id, key);
        await noteChange(sql, actor, { action: 'webhook.secret-rotated', subjectId: id });
        return { kind: 'made', webhook: await the(sql, actor, id), secret: shown };
      }),
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const unique = (types: readonly WebhookType[]): WebhookType[] => [...new Set(types)];
/** Receivers hide keys in the query. */
const shownUrl = (url: string): string => url.split('?')[0] ?? url;
const refused = (message: string): Refused => ({ kind: 'refused', errors: { url: [message] } });
const badUrl = refused('The url field must be an https URL on the public internet.');
const tooMany = refused(`There are ${MAX_WEBHOOKS} webhooks already: delete one first.`);
