import { audiencePages } from './audience-pages.ts';
import { campaignPages } from './campaign-pages.ts';
import { deliveryPages } from './delivery-pages.ts';
import { ownPages } from './own-pages.ts';
import type { PageCase } from './page-case.ts';
import { arriveAt, scrollThrough } from './stand.ts';
import type { World } from './world.ts';

/** Every page of the dashboard behind the log-in. */
export const pages: readonly PageCase[] = [...audiencePages, ...deliveryPages, ...campaignPages, ...ownPages];

/** Waits until the page that the world's tab goes to is all there, its charts too. */
export async function arriveAtPage(world: World, { heading, shows }: PageCase): Promise<void> {
  await arriveAt(world.tab, typeof heading === 'string' ? heading : heading(world));
  await scrollThrough(world.tab.page);
  if (shows !== undefined) await world.tab.page.waitForSelector(shows);
}
