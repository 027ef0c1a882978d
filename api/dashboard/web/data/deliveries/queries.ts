import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Body } from '../../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';
import { NEW_ENTRIES_EVERY_MS, untilDue } from '../http/read-again.ts';
import { readPages } from './read-pages.ts';
import type { Delivery, ListedDelivery } from './resource.ts';
import type { DeliveriesSearch } from './search.ts';
import { isActive, isHeld } from './status.ts';

const list = '/api/v1/client/apps/{identifier}/deliveries';
const one = '/api/v1/client/apps/{identifier}/deliveries/{delivery_id}';

export type { Delivery, ListedDelivery, Progress } from './resource.ts';

const PER_PAGE = 25;
/** Enough to estimate the speed of this app's deliveries. */
const RECENT = 25;
const LIST_EVERY_MS = 5_000;
const WAITING_EVERY_MS = 15_000;
const SETTLING_EVERY_MS = 3_000;
const SETTLED_AFTER_MS = 60_000;
/** No stream reports readers' reactions; most of them come within the hour. */
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
    refetchInterval: ({ state }) => deliveriesAgainAfter(state.data?.data),
  });

export const clickHoursQuery = (api: Api, app: string, delivery: number) =>
  queryOptions({
    queryKey: [...deliveriesKey(app), 'click-hours', delivery],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/click-hours', {
          params: { path: { identifier: app, delivery_id: String(delivery) } },
        }),
      ),
    refetchInterval: NEW_ENTRIES_EVERY_MS,
  });

/** As many as a page of the API has. */
const EXPORTED_A_PAGE = 100;
/** Twenty requests. */
export const MOST_EXPORTED = 2_000;

/** A list as it is filtered and sorted, whole. */
export const exportDeliveries = (api: Api, app: string, search: DeliveriesSearch) =>
  readPages((page) => {
    const query = { ...parametersOf(search), page, per_page: EXPORTED_A_PAGE };
    return bodyOf(api.GET(list, { params: { path: { identifier: app }, query } }));
  }, MOST_EXPORTED);

/** When a list reads them again. */
export function deliveriesAgainAfter(listed: readonly ListedDelivery[] = []): number {
  if (listed.some((each) => isActive(each) && !isHeld(each))) return LIST_EVERY_MS;
  const waiting = listed.filter((each) => each.status === 'scheduled' || isHeld(each));
  const due = waiting.map(({ scheduled_at }) => scheduled_at);
  return untilDue(due, due.length > 0 ? WAITING_EVERY_MS : NEW_ENTRIES_EVERY_MS);
}

const parametersOf = ({
  page,
  search,
  within,
  status,
  approval,
  test,
  category,
  from,
  to,
  sort,
  direction,
}: DeliveriesSearch) => ({
  per_page: PER_PAGE,
  ...(page === undefined ? {} : { page }),
  ...(search === undefined ? {} : { [within ?? 'title']: search }),
  ...(status === undefined ? {} : { status }),
  ...(approval === undefined ? {} : { approval }),
  ...(test === undefined ? {} : { test }),
  ...(category === undefined ? {} : { category }),
  ...(from === undefined ? {} : { created_after: from }),
  ...(to === undefined ? {} : { created_before: to }),
  ...(sort === undefined ? {} : { sort }),
  ...(direction === undefined ? {} : { direction }),
});

/** Ended deliveries, to estimate the next one's duration. */
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
  const { status, scheduled_at, started_at, updated_at, engagement } = delivery;
  if (status === 'scheduled') return untilDue([scheduled_at], WAITING_EVERY_MS);
  if (started_at === null) return false;
  const endedMs = Date.now() - Date.parse(updated_at);
  // Messages in flight when it was cancelled are counted a little later.
  if (status === 'cancelled' && endedMs < SETTLED_AFTER_MS) return SETTLING_EVERY_MS;
  return isActive(delivery) || engagement === null || endedMs < READ_WITHIN_MS ? READERS_EVERY_MS : false;
}

type Correction = Body<'/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/correction', 'post'>;
/** What the dialogs ask for once more; the image, the icon and the buttons stay. */
type Texts = Pick<Correction, 'title' | 'body' | 'url' | 'translations'>;

interface Changed extends Partial<Texts> {
  /** Null: now. */
  readonly scheduled_at?: string | null;
}

/** Refused where somebody has changed it since it was read. */
export const changeDelivery = (
  api: Api,
  app: string,
  { id, changes }: Pick<Delivery, 'id' | 'changes'>,
  changed: Changed,
) =>
  dataOf(
    api.PATCH(one, {
      params: { path: { identifier: app, delivery_id: String(id) } },
      body: { ...changed, expected_changes: changes },
    }),
  );

export const versionsQuery = (api: Api, app: string, { id, changes }: Delivery) =>
  queryOptions({
    queryKey: [...deliveryKey(app, String(id)), 'versions', changes],
    queryFn: () =>
      dataOf(api.GET(`${one}/versions`, { params: { path: { identifier: app, delivery_id: String(id) } } })),
  });

export const correctDelivery = (
  api: Api,
  app: string,
  { id, image_url: image, icon_url: icon, action_buttons: buttons, language }: Delivery,
  texts: Texts,
) =>
  dataOf(
    api.POST(`${one}/correction`, {
      params: { path: { identifier: app, delivery_id: String(id) } },
      body: {
        ...texts,
        action_buttons: buttons,
        ...(language === null ? {} : { language }),
        ...(image === null ? {} : { image_url: image }),
        ...(icon === null ? {} : { icon_url: icon }),
      },
    }),
  );

export const cancelDelivery = (api: Api, app: string, id: string) =>
  dataOf(api.POST(`${one}/cancel`, { params: { path: { identifier: app, delivery_id: id } } }));
