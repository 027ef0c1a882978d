import type { Answer } from '../../../../http-client/client.ts';

/** Deliveries as the API answers them, without anything of a page. */
type List = '/api/v1/client/apps/{identifier}/deliveries';
type One = `${List}/{delivery_id}`;

export type ListedDelivery = Answer<List, 'get'>['data'][number];
export type Delivery = Answer<One, 'get'>['data'];
export type Progress = Answer<`${One}/progress`, 'get'>['data'];
