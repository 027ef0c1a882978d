import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, bodyOf } from '../http/api.ts';
import { queryOf, type Range } from './period.ts';

const below = '/api/v1/client/apps/{identifier}/analytics';
export type Overview = Answer<`${typeof below}/overview`, 'get'>;
export type Growth = Answer<`${typeof below}/subscribers`, 'get'>;
export type Engagement = Answer<`${typeof below}/engagement`, 'get'>;
export type FunnelStats = Answer<`${typeof below}/funnel`, 'get'>;
export type ServiceStats = Answer<`${typeof below}/push-services`, 'get'>;
export type Revenue = Answer<`${typeof below}/revenue`, 'get'>;
export type DeliveryRevenue = Answer<`${typeof below}/revenue/deliveries`, 'get'>;
export type Currency = 'EUR' | 'USD';

export const overviewQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: ['analytics', app, 'overview'],
    queryFn: () => bodyOf(api.GET(`${below}/overview`, { params: { path: { identifier: app } } })),
  });

export type Reachability = Answer<`${typeof below}/reachability`, 'get'>;

export const reachabilityQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: ['analytics', app, 'reachability'],
    queryFn: () => bodyOf(api.GET(`${below}/reachability`, { params: { path: { identifier: app } } })),
  });

export const growthQuery = (api: Api, app: string, range: Range) =>
  queryOptions({
    queryKey: ['analytics', app, 'subscribers', range],
    queryFn: () =>
      bodyOf(
        api.GET(`${below}/subscribers`, { params: { path: { identifier: app }, query: queryOf(range) } }),
      ),
    placeholderData: keepPreviousData,
  });

export const engagementQuery = (api: Api, app: string, range: Range) =>
  queryOptions({
    queryKey: ['analytics', app, 'engagement', range],
    queryFn: () =>
      bodyOf(
        api.GET(`${below}/engagement`, { params: { path: { identifier: app }, query: queryOf(range) } }),
      ),
    placeholderData: keepPreviousData,
  });

export const funnelQuery = (api: Api, app: string, range: Range) =>
  queryOptions({
    queryKey: ['analytics', app, 'funnel', range],
    queryFn: () =>
      bodyOf(api.GET(`${below}/funnel`, { params: { path: { identifier: app }, query: queryOf(range) } })),
    placeholderData: keepPreviousData,
  });

export const servicesQuery = (api: Api, app: string, range: Range) =>
  queryOptions({
    queryKey: ['analytics', app, 'push-services', range],
    queryFn: () =>
      bodyOf(
        api.GET(`${below}/push-services`, { params: { path: { identifier: app }, query: queryOf(range) } }),
      ),
    placeholderData: keepPreviousData,
  });

export const revenueQuery = (api: Api, app: string, range: Range, currency: Currency) =>
  queryOptions({
    queryKey: ['analytics', app, 'revenue', range, currency],
    queryFn: () =>
      bodyOf(
        api.GET(`${below}/revenue`, {
          params: { path: { identifier: app }, query: { ...queryOf(range), currency } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** @param perVisit how many ad impressions a visit has at most; null: no bound. */
export const deliveryRevenueQuery = (
  api: Api,
  app: string,
  range: Range,
  { currency, perVisit }: { readonly currency: Currency; readonly perVisit: number | null },
) =>
  queryOptions({
    queryKey: ['analytics', app, 'delivery-revenue', range, currency, perVisit],
    queryFn: () => {
      const query = {
        ...{ ...queryOf(range), currency },
        ...(perVisit === null ? {} : { impressions_per_visit: perVisit }),
      };
      return bodyOf(api.GET(`${below}/revenue/deliveries`, { params: { path: { identifier: app }, query } }));
    },
    placeholderData: keepPreviousData,
  });
