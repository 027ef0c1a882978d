import { queryOptions } from '@tanstack/react-query';
import type { Answer, Body } from '../../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';

const url = '/api/v1/client/apps/{identifier}/prompts';

export type Prompts = Answer<typeof url, 'get'>['data'];
export type PromptsBody = Body<typeof url, 'put'>;
export type PromptResults = Answer<`${typeof url}/results`, 'get'>['data'];

export const promptsQuery = (api: Api, identifier: string) =>
  queryOptions({
    queryKey: ['prompts', identifier],
    queryFn: () => dataOf(api.GET(url, { params: { path: { identifier } } })),
  });

export const promptResultsQuery = (api: Api, identifier: string, round: number) =>
  queryOptions({
    queryKey: ['prompt-results', identifier, round],
    queryFn: () => dataOf(api.GET(`${url}/results`, { params: { path: { identifier } } })),
  });

export const savePrompts = (api: Api, identifier: string, body: PromptsBody): Promise<Prompts> =>
  dataOf(api.PUT(url, { params: { path: { identifier } }, body }));
