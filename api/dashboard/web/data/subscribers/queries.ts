import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';
import type { SubscribersSearch } from './search.ts';

const one = '/api/v1/client/apps/{identifier}/subscriptions/{subscription_id}';
const trace = '/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/subscriptions/{subscription_id}';

export type Subscriber = Answer<typeof one, 'get'>['data'];
export type Trace = Answer<typeof trace, 'get'>['data'];
export type Sent = Answer<'/api/v1/client/apps/{identifier}/deliveries', 'get'>['data'][number];

const PER_PAGE = 25;
const HISTORY_PER_PAGE = 10;

/** The key of all that is known of an app's subscribers. */
export const subscribersKey = (app: string) => ['subscribers', app] as const;

export const subscribersQuery = (api: Api, app: string, search: SubscribersSearch) =>
  queryOptions({
    queryKey: [...subscribersKey(app), 'list', search],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/client/apps/{identifier}/subscriptions', {
          params: { path: { identifier: app }, query: {} },
          querySerializer: () => parametersOf(search).toString(),
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** By hand: a tag may be asked for more than once, which no serializer of objects writes. */
export function parametersOf(search: SubscribersSearch): URLSearchParams {
  const named = {
    page: search.page,
    per_page: PER_PAGE,
    search: search.search,
    status: search.status,
    device_type: search.device,
    browser: search.browser,
    country: search.country,
    segment_id: search.segment,
    created_after: search.from,
    created_before: search.to,
    sort: search.sort,
    direction: search.direction,
  };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  for (const tag of search.tags ?? []) {
    const at = tag.indexOf('=');
    parameters.append(`tag[${tag.slice(0, at)}]`, tag.slice(at + 1));
  }
  return parameters;
}

export const subscriberQuery = (api: Api, app: string, id: string) =>
  queryOptions({
    queryKey: [...subscribersKey(app), 'one', id],
    queryFn: () => dataOf(api.GET(one, { params: { path: { identifier: app, subscription_id: id } } })),
  });

/** The person's other browsers. */
export const samePersonQuery = (api: Api, app: string, id: string) =>
  queryOptions({
    queryKey: [...subscribersKey(app), 'same-person', id],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/client/apps/{identifier}/subscriptions/{subscription_id}/same-person', {
          params: { path: { identifier: app, subscription_id: id } },
        }),
      ),
  });

/** The app's deliveries since the subscriber came, newest first. */
export const sentSinceQuery = (api: Api, app: string, since: string, page: number) =>
  queryOptions({
    queryKey: ['deliveries', app, 'since', since, page],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/client/apps/{identifier}/deliveries', {
          params: {
            path: { identifier: app },
            query: { created_after: since.slice(0, 10), page, per_page: HISTORY_PER_PAGE },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const traceQuery = (api: Api, app: string, subscriber: string, delivery: string) =>
  queryOptions({
    queryKey: [...subscribersKey(app), 'trace', subscriber, delivery],
    queryFn: () =>
      dataOf(
        api.GET(trace, {
          params: { path: { identifier: app, delivery_id: delivery, subscription_id: subscriber } },
        }),
      ),
  });
