import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { campaignsAgainAfter, campaignsKey } from '../campaigns/queries.ts';
import { deliveriesAgainAfter } from '../deliveries/queries.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';

export type VapidKey = Answer<'/api/v1/client/apps/{identifier}/vapid-keys', 'get'>['data'][number];

export const keysQuery = (api: Api, identifier: string) =>
  queryOptions({
    queryKey: ['vapid-keys', identifier],
    queryFn: () =>
      dataOf(api.GET('/api/v1/client/apps/{identifier}/vapid-keys', { params: { path: { identifier } } })),
  });

export type LastDelivery = Answer<'/api/v1/client/apps/{identifier}/deliveries', 'get'>['data'][number];

export type HomeScreenCheck = Answer<'/api/v1/client/apps/{identifier}/home-screen-check', 'post'>['data'];

/** It reads the site: not again at every check. */
const SITE_EVERY_MS = 600_000;

export const homeScreenQuery = (api: Api, identifier: string) =>
  queryOptions({
    queryKey: ['home-screen', identifier],
    queryFn: () =>
      dataOf(
        api.POST('/api/v1/client/apps/{identifier}/home-screen-check', { params: { path: { identifier } } }),
      ),
    staleTime: SITE_EVERY_MS,
    retry: false,
  });

/** Enough to say what is typical for an hour of a working day. */
const RECENT = 100;

export const recentQuery = (api: Api, identifier: string) =>
  queryOptions({
    queryKey: ['deliveries', identifier, 'overview'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/client/apps/{identifier}/deliveries', {
          params: { path: { identifier }, query: { per_page: RECENT, test: false } },
        }),
      ),
    refetchInterval: ({ state }) => deliveriesAgainAfter(state.data?.data),
  });

/** Of them, those that wait for somebody or for their time are shown. */
export const newestCampaignsQuery = (api: Api, identifier: string) =>
  queryOptions({
    queryKey: [...campaignsKey(identifier), 'overview'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/client/apps/{identifier}/campaigns', {
          params: { path: { identifier }, query: { per_page: RECENT } },
        }),
      ),
    refetchInterval: ({ state }) => campaignsAgainAfter(state.data?.data),
  });

/** The newest delivery that was not a test; null where there is none. */
export const lastDeliveryQuery = (api: Api, identifier: string) =>
  queryOptions({
    queryKey: ['deliveries', identifier, 'last'],
    queryFn: async (): Promise<LastDelivery | null> => {
      const params = { path: { identifier }, query: { per_page: 1, test: false } };
      const [newest] = await dataOf(api.GET('/api/v1/client/apps/{identifier}/deliveries', { params }));
      return newest ?? null;
    },
  });
