import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';

export type Channel = Answer<'/api/v1/account/alert-channels', 'get'>['data'][number];
export type NewChannel = Answer<'/api/v1/account/alert-channels', 'post', 201>['data'];
export type Alert = Answer<'/api/v1/account/alerts', 'get'>['data'][number];
export type Send = Alert['sends'][number];

const PER_PAGE = 25;
/** An organization may have twenty. */
const MOST_CHANNELS = 100;

export const channelsKey = ['alert-channels'] as const;
export const channelsQuery = (api: Api) =>
  queryOptions({
    queryKey: channelsKey,
    queryFn: () =>
      bodyOf(api.GET('/api/v1/account/alert-channels', { params: { query: { per_page: MOST_CHANNELS } } })),
  });

export const historyKey = ['alerts'] as const;
export const historyQuery = (api: Api, page: number) =>
  queryOptions({
    queryKey: [...historyKey, page],
    queryFn: () =>
      bodyOf(api.GET('/api/v1/account/alerts', { params: { query: { page, per_page: PER_PAGE } } })),
  });

export const alertQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['alert', id],
    queryFn: () =>
      dataOf(api.GET('/api/v1/account/alerts/{alert_id}', { params: { path: { alert_id: String(id) } } })),
  });
