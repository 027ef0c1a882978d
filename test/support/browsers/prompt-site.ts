import type { Page } from 'puppeteer-core';
import type { Newsroom } from './newsroom.ts';
import type { ReadersBrowser } from './readers.ts';

/** An app of its own on the newsroom's site: settings are remembered for a while, in browsers and in the API. */
export interface PromptSite {
  readonly appId: string;
  /** Opens a page of the front: `prepare` sees the tab first, `query` is of its address. */
  visit(
    browser: ReadersBrowser,
    given?: { query?: string; prepare?: (page: Page) => Promise<unknown> },
  ): Promise<Page>;
  results(): Promise<readonly Counted[]>;
}

/** Until nothing fades in any more: what is half there has too little contrast. */
export const whenStill = (page: Page): Promise<unknown> =>
  page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');

interface Counted {
  readonly shown: number;
  readonly accepted: number;
  readonly granted: number;
  readonly dismissed: number;
  readonly subscribed: number;
}

/** @param settings of the app's prompts; its pages speak the language of `?lang=`, English without. */
export async function createPromptSite(
  { client, site, apiUrl }: Newsroom,
  settings: object | null,
  { categories = [], prompt }: { categories?: readonly string[]; prompt?: false } = {},
): Promise<PromptSite> {
  const made = await client.post<{ data: { identifier: string } }>('/apps', {
    name: 'Example News',
    site_domain: site.origin,
  });
  const appId = made.data.identifier;
  for (const name of categories) await client.post(`/apps/${appId}/delivery-categories`, { name });
  if (settings !== null) await client.put(`/apps/${appId}/prompts`, { enabled: true, ...settings });
  const options = JSON.stringify({ appId, baseUrl: apiUrl, ...(prompt === false && { prompt }) });
  return {
    appId,
    async visit(browser, { query = '', prepare = async () => {} } = {}) {
      site.setPage({
        apiUrl,
        body: '<p>News</p><p style="height:3000px">More</p>',
        script: `document.documentElement.lang = new URLSearchParams(location.search).get('lang') ?? 'en';
          window.ready = Broadside.init(${options});`,
      });
      const page = await browser.newPage();
      await prepare(page);
      await page.goto(`${site.origin}/${query}`);
      await page.evaluate('ready');
      return page;
    },
    results: async () =>
      (await client.get<{ data: { variants: readonly Counted[] } }>(`/apps/${appId}/prompts/results`)).data
        .variants,
  };
}
