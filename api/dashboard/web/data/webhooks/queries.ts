import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';

const path = '/api/v1/client/webhooks';
export type Webhook = Answer<typeof path, 'get'>['data'][number];
export type WebhookType = Webhook['types'][number];
export type Message = Answer<`${typeof path}/{webhook_id}/messages`, 'get'>['data'][number];

const PER_PAGE = 25;
/** An organization may have twenty. */
const MOST_WEBHOOKS = 100;

export const webhooksKey = ['webhooks'] as const;
export const webhooksQuery = (api: Api) =>
  queryOptions({
    queryKey: webhooksKey,
    queryFn: () => bodyOf(api.GET(path, { params: { query: { per_page: MOST_WEBHOOKS } } })),
  });

export const webhookQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...webhooksKey, id],
    queryFn: () => dataOf(api.GET(`${path}/{webhook_id}`, { params: { path: { webhook_id: id } } })),
  });

export const messagesKey = ['webhook-messages'] as const;
export const messagesQuery = (api: Api, id: string, page: number) =>
  queryOptions({
    queryKey: [...messagesKey, id, page],
    queryFn: () => {
      const params = { path: { webhook_id: id }, query: { page, per_page: PER_PAGE } };
      return bodyOf(api.GET(`${path}/{webhook_id}/messages`, { params }));
    },
  });
