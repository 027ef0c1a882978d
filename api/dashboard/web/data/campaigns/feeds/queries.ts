import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, bodyOf, dataOf } from '../../http/api.ts';
import { campaignsKey } from '../queries.ts';
import type { GivenPlan, NewCampaign } from '../resource.ts';

const list = '/api/v1/client/apps/{identifier}/campaigns';
const one = `${list}/{campaign_id}` as const;
const item = `${one}/items/{item_id}` as const;

const PER_PAGE = 10;
const DRAFTS_AGAIN_MS = 15_000;

/** Drafts that wait, the newest first. */
export const draftsQuery = (api: Api, app: string, id: number, page: number, again: boolean) =>
  queryOptions({
    queryKey: [...campaignsKey(app), 'drafts', id, page],
    queryFn: () =>
      bodyOf(
        api.GET(`${one}/items`, {
          params: {
            path: { identifier: app, campaign_id: String(id) },
            query: { status: 'draft', per_page: PER_PAGE, page },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: again ? DRAFTS_AGAIN_MS : false,
  });

/** What the feed has now, by one check that nothing remembers. Null: there is nothing to check. */
export const feedPreviewQuery = (api: Api, app: string, plan: GivenPlan | null) =>
  queryOptions({
    queryKey: [...campaignsKey(app), 'feed-preview', plan],
    enabled: plan !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) => {
      const body = { plan: plan as GivenPlan };
      return (
        await dataOf(api.POST(`${list}/preview`, { params: { path: { identifier: app } }, body, signal }))
      ).feed;
    },
  });

export const createFeed = (api: Api, app: string, body: NewCampaign, key: string) =>
  dataOf(api.POST(list, { params: { path: { identifier: app }, header: { 'idempotency-key': key } }, body }));

export const changeFeed = (api: Api, app: string, id: number, body: NewCampaign) =>
  dataOf(api.PUT(one, { params: { path: { identifier: app, campaign_id: String(id) } }, body }));

export interface Draft {
  readonly campaign: number;
  readonly item: number;
}

const pathOf = (app: string, { campaign, item: id }: Draft) => ({
  params: { path: { identifier: app, campaign_id: String(campaign), item_id: String(id) } },
});

export const approveDraft = (
  api: Api,
  app: string,
  draft: Draft,
  texts: { readonly title: string; readonly body: string },
) => dataOf(api.POST(`${item}/approve`, { ...pathOf(app, draft), body: texts }));

export const dismissDraft = (api: Api, app: string, draft: Draft) =>
  dataOf(api.POST(`${item}/dismiss`, pathOf(app, draft)));
