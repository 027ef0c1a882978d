import type { Page } from 'puppeteer-core';
import { borrowPush } from './borrowed-push.ts';
import { describeBrowser } from './describe-browsers.ts';
import type { Newsroom } from './newsroom.ts';
import { chromiumReaders, firefoxReaders, type Readers } from './readers.ts';

/** A suite in both browsers: Firefox with its own push client, Chromium with a borrowed one. */
export interface EachBrowser {
  readonly hasOwnPush: boolean;
  start(newsroom: Newsroom): Promise<Readers>;
  /** For a tab, before it opens a page. */
  prepare(page: Page, newsroom: Newsroom): Promise<void>;
}

const kinds = {
  firefox: (executable: string): EachBrowser => ({
    hasOwnPush: true,
    start: (newsroom) => firefoxReaders(executable, newsroom),
    prepare: async () => {},
  }),
  chromium: (executable: string): EachBrowser => ({
    hasOwnPush: false,
    start: (newsroom) => chromiumReaders(executable, newsroom),
    prepare: async (page, { push }) => void (await borrowPush(page, push)),
  }),
} as const;

export function describeEachBrowser(name: string, suite: (each: EachBrowser) => void): void {
  for (const browser of ['firefox', 'chromium'] as const)
    describeBrowser(browser, `${name}, in ${browser}`, (executable) => suite(kinds[browser](executable)));
}
