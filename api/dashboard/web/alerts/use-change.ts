import { useQueryClient } from '@tanstack/react-query';
import { type Channel, channelsKey } from '../data/alerts/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';

type Changes = Partial<Pick<Channel, 'alert_kinds' | 'enabled'>>;

/** Changes a channel, and shows it so. */
export function useChange({ id }: Channel): (changes: Changes) => Promise<void> {
  const api = useApi();
  const queries = useQueryClient();
  return async (body) => {
    const params = { path: { channel_id: String(id) } };
    await dataOf(api.PATCH('/api/v1/account/alert-channels/{channel_id}', { params, body }));
    await queries.invalidateQueries({ queryKey: channelsKey });
  };
}
