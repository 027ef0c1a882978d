import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../../http-client/client.ts';
import { type Api, dataOf } from '../../http/api.ts';

export type Passkey = Answer<'/api/v1/account/me/passkeys', 'get'>['data'][number];

export const passkeysKey = ['passkeys'] as const;
export const passkeysQuery = (api: Api) =>
  queryOptions({ queryKey: passkeysKey, queryFn: () => dataOf(api.GET('/api/v1/account/me/passkeys')) });
