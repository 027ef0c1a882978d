import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, bodyOf, dataOf } from '../http/api.ts';
import { NEW_ENTRIES_EVERY_MS, untilDue } from '../http/read-again.ts';
import type { Campaign, CampaignDetail, GivenPlan } from './resource.ts';
import type { CampaignsSearch } from './search.ts';
import { isOpen } from './status.ts';

export type { Campaign, CampaignDetail, CampaignStep } from './resource.ts';

const list = '/api/v1/client/apps/{identifier}/campaigns';
const one = `${list}/{campaign_id}` as const;

const PER_PAGE = 25;
const WAITING_EVERY_MS = 15_000;
const RUNNING_EVERY_MS = 5_000;
/** Clicks come after its last delivery is created; most of them within the hour. */
const READ_WITHIN_MS = 3_600_000;
const COUNT_AGAIN_MS = 60_000;

/** The key of all that is known of an app's campaigns. */
export const campaignsKey = (app: string) => ['campaigns', app] as const;

export const campaignsQuery = (api: Api, app: string, search: CampaignsSearch, parent?: number) =>
  queryOptions({
    queryKey: [...campaignsKey(app), 'list', search, parent],
    queryFn: () =>
      bodyOf(
        api.GET(list, {
          params: {
            path: { identifier: app },
            query: { per_page: PER_PAGE, ...search, ...(parent === undefined ? {} : { parent_id: parent }) },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => campaignsAgainAfter(state.data?.data),
  });

export const campaignQuery = (api: Api, app: string, id: string) =>
  queryOptions({
    queryKey: [...campaignsKey(app), 'one', id],
    queryFn: () => dataOf(api.GET(one, { params: { path: { identifier: app, campaign_id: id } } })),
    refetchInterval: ({ state }) => (state.data === undefined ? false : againAfter(state.data)),
  });

/** When a list reads them again. */
export function campaignsAgainAfter(listed: readonly Campaign[] = []): number {
  const due = listed.filter(isOpen).map(({ next_step_at }) => next_step_at);
  return untilDue(due, due.length > 0 ? WAITING_EVERY_MS : NEW_ENTRIES_EVERY_MS);
}

/** When its page reads it again; false: nothing changes any more. */
export function againAfter(campaign: CampaignDetail): number | false {
  const { status, next_step_at } = campaign;
  if (isOpen(campaign))
    return untilDue([next_step_at], status === 'scheduled' ? WAITING_EVERY_MS : RUNNING_EVERY_MS);
  return Date.now() - Date.parse(campaign.updated_at) < READ_WITHIN_MS ? WAITING_EVERY_MS : false;
}

/** The deliveries that it created, newest first. */
export const campaignDeliveriesQuery = (api: Api, app: string, id: number, page: number) =>
  queryOptions({
    queryKey: [...campaignsKey(app), 'deliveries', id, page],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/client/apps/{identifier}/deliveries', {
          params: { path: { identifier: app }, query: { campaign_id: id, per_page: PER_PAGE, page } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export interface Previewed {
  readonly plan: GivenPlan;
  readonly variants?: number;
  readonly segment_id?: number;
  readonly delivery_category_id?: number;
}

/** What such a campaign would create. Null: there is nothing to ask about. */
export const forecastQuery = (api: Api, app: string, asked: Previewed | null) =>
  queryOptions({
    queryKey: [...campaignsKey(app), 'forecast', asked],
    enabled: asked !== null,
    refetchInterval: COUNT_AGAIN_MS,
    queryFn: ({ signal }) =>
      dataOf(
        api.POST(`${list}/preview`, {
          params: { path: { identifier: app } },
          body: asked as Previewed,
          signal,
        }),
      ),
  });

export const cancelCampaign = (api: Api, app: string, id: number) =>
  dataOf(api.POST(`${one}/cancel`, { params: { path: { identifier: app, campaign_id: String(id) } } }));

export const decideCampaign = (api: Api, app: string, id: number, variant: number) =>
  dataOf(
    api.POST(`${one}/winner`, {
      params: { path: { identifier: app, campaign_id: String(id) } },
      body: { variant },
    }),
  );
