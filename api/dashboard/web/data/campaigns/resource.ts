import type { Answer, Body } from '../../../../http-client/client.ts';

/** Campaigns as the API answers them, without anything of a page. */
type List = '/api/v1/client/apps/{identifier}/campaigns';

export type Campaign = Answer<List, 'get'>['data'][number];
export type CampaignDetail = Answer<`${List}/{campaign_id}`, 'get'>['data'];
export type CampaignForecast = Answer<`${List}/preview`, 'post'>['data'];
export type CampaignStep = CampaignForecast['steps'][number];
export type NewCampaign = Body<List, 'post'>;
export type GivenPlan = NewCampaign['plan'];
export type CampaignStatus = Campaign['status'];
export type CampaignKind = Campaign['kind'];
