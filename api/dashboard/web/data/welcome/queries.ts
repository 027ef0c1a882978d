import { queryOptions } from '@tanstack/react-query';
import type { Answer, Body } from '../../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';

const url = '/api/v1/client/apps/{identifier}/welcome';

export type Welcome = Answer<typeof url, 'get'>['data'];
type WelcomeBody = Body<typeof url, 'put'>;

export const welcomeQuery = (api: Api, identifier: string) =>
  queryOptions({
    queryKey: ['welcome', identifier],
    queryFn: () => dataOf(api.GET(url, { params: { path: { identifier } } })),
  });

export const saveWelcome = (api: Api, identifier: string, body: WelcomeBody): Promise<Welcome> =>
  dataOf(api.PUT(url, { params: { path: { identifier } }, body }));

export interface WelcomeValues {
  readonly enabled: boolean;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly image_url: string;
  readonly icon_url: string;
  readonly delay_minutes: number | string;
}

export const valuesOf = (welcome: Welcome): WelcomeValues => ({
  enabled: welcome.enabled,
  title: welcome.title ?? '',
  body: welcome.body ?? '',
  url: welcome.url ?? '',
  image_url: welcome.image_url ?? '',
  icon_url: welcome.icon_url ?? '',
  delay_minutes: welcome.delay_minutes,
});

export const bodyOf = ({ image_url, icon_url, delay_minutes, ...values }: WelcomeValues): WelcomeBody => ({
  ...values,
  ...(image_url.trim() !== '' && { image_url: image_url.trim() }),
  ...(icon_url.trim() !== '' && { icon_url: icon_url.trim() }),
  delay_minutes: Number(delay_minutes),
});
