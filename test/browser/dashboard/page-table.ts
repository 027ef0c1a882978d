import { audiencePages } from './audience-pages.ts';
import { campaignPages } from './campaign-pages.ts';
import { deliveryPages } from './delivery-pages.ts';
import { ownPages } from './own-pages.ts';
import type { PageCase } from './page-case.ts';

/** Every page of the dashboard behind the log-in. */
export const pages: readonly PageCase[] = [...audiencePages, ...deliveryPages, ...campaignPages, ...ownPages];
