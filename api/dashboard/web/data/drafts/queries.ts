import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';
import { Problem } from '../http/problem.ts';
import { NEW_ENTRIES_EVERY_MS } from '../http/read-again.ts';
import type { Draft } from './resource.ts';

export type { Draft } from './resource.ts';

const list = '/api/v1/client/apps/{identifier}/drafts';
const one = `${list}/{draft_id}` as const;

export type WholeDraft = Answer<typeof one, 'get'>['data'];
export type DraftKind = Draft['kind'];
type Values = Readonly<Record<string, unknown>>;

export const draftsKey = (app: string) => ['drafts', app] as const;

export const draftsQuery = (api: Api, app: string, kind: DraftKind, page: number, perPage = 25) =>
  queryOptions({
    queryKey: [...draftsKey(app), kind, page, perPage],
    queryFn: () =>
      bodyOf(
        api.GET(list, { params: { path: { identifier: app }, query: { kind, page, per_page: perPage } } }),
      ),
    refetchInterval: NEW_ENTRIES_EVERY_MS,
  });

export const draftQuery = (api: Api, app: string, id: string) =>
  queryOptions({
    // Not among the lists, which are read again when one of them changes.
    queryKey: ['draft', app, id],
    queryFn: () => dataOf(api.GET(one, { params: { path: { identifier: app, draft_id: id } } })),
    // What is being written stands in the form, which saves it: it is read once, and where somebody asks.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const createDraft = (api: Api, app: string, kind: DraftKind, name: string, values: Values) =>
  dataOf(api.POST(list, { params: { path: { identifier: app } }, body: { kind, name, values } }));

export const saveDraft = (
  api: Api,
  app: string,
  { id, version }: { readonly id: number; readonly version: number },
  name: string,
  values: Values,
) =>
  dataOf(
    api.PUT(one, {
      params: { path: { identifier: app, draft_id: String(id) } },
      body: { name, values, version },
    }),
  );

/** @param email null: nobody is asked any more. */
export const assignDraft = (api: Api, app: string, id: number, email: string | null, comment: string) =>
  dataOf(
    api.PUT('/api/v1/client/apps/{identifier}/drafts/{draft_id}/assignee', {
      params: { path: { identifier: app, draft_id: String(id) } },
      body: { email, comment },
    }),
  );

export const deleteDraft = (api: Api, app: string, id: number) =>
  bodyOf(api.DELETE(one, { params: { path: { identifier: app, draft_id: String(id) } } }));

/** Who has changed a draft meanwhile; null: that is not what went wrong. */
export const changedBy = (error: unknown): string | null =>
  error instanceof Problem && error.status === 409
    ? ((error.answer as { readonly draft?: Draft }).draft?.changed_by ?? null)
    : null;
