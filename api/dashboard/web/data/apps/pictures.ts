import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer, Body } from '../../../../http-client/client.ts';
import { dataOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { type App, appQuery, appsKey } from './queries.ts';

export type PictureUse = Body<'/api/v1/client/apps/{identifier}/pictures', 'post'>['use'];
export type Pictures = Pick<App, 'icon_url' | 'badge_url'>;
export type PictureProposal = Answer<'/api/v1/client/apps/{identifier}/pictures/proposal', 'post'>['data'];

export type PictureChange =
  | { readonly kind: 'file'; readonly use: PictureUse; readonly file: File }
  | { readonly kind: 'set'; readonly pictures: Partial<Pictures> };

/** Uploads a picture, or sets the addresses of some; null takes one away. */
export function useChangePictures({ identifier, name, site_domain }: App) {
  const api = useApi();
  const queries = useQueryClient();
  const params = { path: { identifier } };
  return useMutation({
    mutationFn: async (change: PictureChange) => {
      if (change.kind === 'set') {
        const body = { name, site_domain, ...change.pictures };
        return dataOf(api.PATCH('/api/v1/client/apps/{identifier}', { params, body }));
      }
      const body = { use: change.use, file: await base64Of(change.file) };
      return dataOf(api.POST('/api/v1/client/apps/{identifier}/pictures', { params, body }));
    },
    onSuccess: async (saved) => {
      queries.setQueryData(appQuery(api, identifier).queryKey, saved);
      await queries.invalidateQueries({ queryKey: appsKey });
    },
  });
}

export function useProposePictures(identifier: string) {
  const api = useApi();
  const params = { path: { identifier } };
  return useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/client/apps/{identifier}/pictures/proposal', { params })),
  });
}

async function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return (await promise).split(',')[1] ?? '';
}
