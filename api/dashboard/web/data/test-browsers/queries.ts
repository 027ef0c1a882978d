import { queryOptions } from '@tanstack/react-query';
import type { Answer, Body } from '../../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';
import { formOf } from '../http/form-of.ts';

const list = '/api/v1/client/apps/{identifier}/test-browsers';
const one = `${list}/{test_browser_id}` as const;
const send = '/api/v1/client/apps/{identifier}/deliveries/test';
const results = '/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/test-results';

export type TestBrowser = Answer<typeof list, 'get'>['data'][number];
export type TestResults = Answer<typeof results, 'get'>['data'];
export type NewTest = Body<typeof send, 'post'>;

/** An app has fifty at most. */
const EVERY = 100;

export const testBrowsersKey = (app: string) => ['test-browsers', app] as const;

export const testBrowsersQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: testBrowsersKey(app),
    queryFn: () =>
      dataOf(api.GET(list, { params: { path: { identifier: app }, query: { per_page: EVERY } } })),
  });

export const makeLink = (api: Api, app: string) =>
  dataOf(api.POST(`${list}/link`, { params: { path: { identifier: app } } }));

export const registerBrowser = (api: Api, app: string, subscription: number) =>
  dataOf(api.POST(list, { params: { path: { identifier: app } }, body: { subscription_id: subscription } }));

const pathOf = (app: string, id: number) => ({ path: { identifier: app, test_browser_id: String(id) } });

export const renameBrowser = (api: Api, app: string, id: number, name: string) =>
  dataOf(api.PATCH(one, { params: pathOf(app, id), body: { name } }));

export async function removeBrowser(api: Api, app: string, id: number): Promise<void> {
  const { error, response } = await api.DELETE(one, { params: pathOf(app, id) });
  // Somebody else has removed it meanwhile.
  if (!response.ok && response.status !== 404) throw error;
}

/** @param files pictures that were chosen here, by their fields. */
export const sendTest = (api: Api, app: string, body: NewTest, files: Readonly<Record<string, File>>) => {
  const params = { path: { identifier: app } };
  return dataOf(
    Object.keys(files).length === 0
      ? api.POST(send, { params, body })
      : api.POST(send, { params, body, bodySerializer: () => formOf(body, files) }),
  );
};

const RESULTS_EVERY_MS = 1_000;
/** A browser that has shown nothing by then is off, or its reader has forbidden it: looking again is slow. */
const LOOK_FOR_MS = 60_000;

/** @param sentAtMs of the test: soon after it, news come by the second. */
export const resultsQuery = (api: Api, app: string, delivery: number, sentAtMs: number) =>
  queryOptions({
    queryKey: ['test-results', app, delivery],
    queryFn: () =>
      dataOf(api.GET(results, { params: { path: { identifier: app, delivery_id: String(delivery) } } })),
    refetchInterval: ({ state }) => {
      const isOver = state.data?.browsers.every(({ state: each }) => isFinal(each)) ?? false;
      return isOver || Date.now() - sentAtMs > LOOK_FOR_MS ? false : RESULTS_EVERY_MS;
    },
  });

/** One that was displayed may still be clicked: who looks has seen it. */
const isFinal = (state: TestResults['browsers'][number]['state']): boolean =>
  state === 'clicked' || state === 'failed' || state === 'not_sent';
