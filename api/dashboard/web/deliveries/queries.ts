import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';
import type { DeliveriesSearch } from './search.ts';
import { isActive } from './status.ts';

const list = '/api/v1/client/apps/{identifier}/deliveries';
const one = '/api/v1/client/apps/{identifier}/deliveries/{delivery_id}';

export type ListedDelivery = Answer<typeof list, 'get'>['data'][number];
export type Delivery = Answer<typeof one, 'get'>['data'];
export type Progress = Answer<`${typeof one}/progress`, 'get'>['data'];

const PER_PAGE = 25;
/** Enough to tell how fast this app's deliveries go. */
const RECENT = 25;
const LIST_EVERY_MS = 5_000;
const WAITING_EVERY_MS = 15_000;
const SETTLING_EVERY_MS = 3_000;
const SETTLED_AFTER_MS = 60_000;
/** No stream says what readers do; most of them do it within the hour. */
const READERS_EVERY_MS = 15_000;
const READ_WITHIN_MS = 3_600_000;

/** The key of all that is known of an app's deliveries. */
export const deliveriesKey = (app: string) => ['deliveries', app] as const;

export const deliveriesQuery = (api: Api, app: string, search: DeliveriesSearch) =>
  queryOptions({
    queryKey: [...deliveriesKey(app), 'list', search],
    queryFn: () =>
      bodyOf(api.GET(list, { params: { path: { identifier: app }, query: parametersOf(search) } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isActive) ? LIST_EVERY_MS : false),
  });

const parametersOf = ({ page, search, within, status, category, from, to }: DeliveriesSearch) => ({
  per_page: PER_PAGE,
  ...(page === undefined ? {} : { page }),
  ...(search === undefined ? {} : { [within ?? 'title']: search }),
  ...(status === undefined ? {} : { status }),
  ...(category === undefined ? {} : { category }),
  ...(from === undefined ? {} : { created_after: from }),
  ...(to === undefined ? {} : { created_before: to }),
});

/** Those that have ended tell how long the next one may take. */
export const recentDeliveriesQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(app), 'recent'],
    queryFn: () =>
      bodyOf(api.GET(list, { params: { path: { identifier: app }, query: { per_page: RECENT } } })),
    staleTime: 60_000,
  });

export const deliveryKey = (app: string, id: string) => [...deliveriesKey(app), 'one', id] as const;

export const deliveryQuery = (api: Api, app: string, id: string) =>
  queryOptions({
    queryKey: deliveryKey(app, id),
    queryFn: () => dataOf(api.GET(one, { params: { path: { identifier: app, delivery_id: id } } })),
    refetchInterval: ({ state }) => (state.data === undefined ? false : againAfter(state.data)),
  });

function againAfter(delivery: Delivery): number | false {
  const { status, started_at, updated_at, engagement } = delivery;
  if (status === 'scheduled') return WAITING_EVERY_MS;
  if (started_at === null) return false;
  const endedMs = Date.now() - Date.parse(updated_at);
  // What was in hand when it was cancelled is counted a little later.
  if (status === 'cancelled' && endedMs < SETTLED_AFTER_MS) return SETTLING_EVERY_MS;
  return isActive(delivery) || engagement === null || endedMs < READ_WITHIN_MS ? READERS_EVERY_MS : false;
}

export const cancelDelivery = (api: Api, app: string, id: string) =>
  dataOf(api.POST(`${one}/cancel`, { params: { path: { identifier: app, delivery_id: id } } }));
