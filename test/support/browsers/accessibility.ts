import axe from 'axe-core';
import type { Page } from 'puppeteer-core';

/** What axe finds on the page, one line each: rule, and where. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  // Its text is long: once a page is enough.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  // What is right stays in the page: to describe and to send it takes longer than to find it.
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as axe.Result[];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${JSON.stringify(target)}`));
}
