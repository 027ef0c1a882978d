import type { Answer } from '../../../../http-client/client.ts';

export type Draft = Answer<'/api/v1/client/apps/{identifier}/drafts', 'get'>['data'][number];
