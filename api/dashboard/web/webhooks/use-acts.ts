import { useQueryClient } from '@tanstack/react-query';
import { bodyOf, dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { messagesKey, type Webhook, webhooksKey } from '../data/webhooks/queries.ts';

const path = '/api/v1/client/webhooks/{webhook_id}';
type Changes = Partial<Pick<Webhook, 'url' | 'description' | 'types' | 'enabled'>>;

/** What is done with a webhook, and shown so. */
export function useActs(id: number) {
  const api = useApi();
  const queries = useQueryClient();
  const params = { path: { webhook_id: String(id) } };
  const refresh = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: webhooksKey });
    await queries.invalidateQueries({ queryKey: messagesKey });
  };
  return {
    change: async (body: Changes): Promise<void> => {
      await dataOf(api.PATCH(path, { params, body }));
      await refresh();
    },
    /** @returns the secret. */
    rotate: async (): Promise<string> => {
      const { secret } = await dataOf(api.POST(`${path}/rotate-secret`, { params }));
      await refresh();
      return secret;
    },
    ping: async (): Promise<void> => {
      await dataOf(api.POST(`${path}/ping`, { params }));
      await refresh();
    },
    replay: async (message: number): Promise<void> => {
      const both = { path: { ...params.path, message_id: String(message) } };
      await dataOf(api.POST(`${path}/messages/{message_id}/replay`, { params: both }));
      await refresh();
    },
    /** Its own page would ask for what is gone: only the list is read again. */
    remove: async (): Promise<void> => {
      await bodyOf(api.DELETE(path, { params }));
      await queries.invalidateQueries({ queryKey: webhooksKey, exact: true });
    },
  };
}
