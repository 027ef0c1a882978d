import { Html, html } from './html.ts';

/** A page of the documentation, before it has its frame. */
export interface DocsPage {
  /** Below `/docs/`, without a slash at its end; empty: the first page. */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
}

export interface NavigationGroup {
  readonly title: string;
  readonly pages: readonly { readonly path: string; readonly title: string }[];
}

export interface Frame {
  /** Of the API. */
  readonly name: string;
  readonly navigation: readonly NavigationGroup[];
}

/** From a page to `/docs/`. */
export const upFrom = (path: string): string => '../'.repeat(path.split('/').length - 1) || './';

/** Every address is relative, so that the pages work below the path of any proxy. */
export function drawPage(page: DocsPage, { name, navigation }: Frame, query = ''): string {
  const up = upFrom(page.path);
  const link = (path: string): string => `${up}${path}` || './';
  const title = page.path === '' ? `${name} documentation` : `${page.title} · ${name} documentation`;
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${link('static/favicon.svg')}">
<link rel="stylesheet" href="${link('static/docs.css')}">
<script src="${link('static/docs.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="${link('')}">${name} <span>documentation</span></a>
<form role="search" action="${link('search')}" method="get">
<input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search ( / )" maxlength="100" required>
</form>
</header>
<div class="frame">
<nav aria-label="Documentation">
<details open>
<summary>Contents</summary>
${navigation.map(
  (group) => html`<p class="group">${group.title}</p>
<ul>${group.pages.map(
    ({ path, title: name }) =>
      html`<li><a href="${link(path)}"${path === page.path && new Html(' aria-current="page"')}>${name}</a></li>`,
  )}</ul>`,
)}
</details>
</nav>
<main id="content" tabindex="-1">
${page.body}
</main>
</div>
</body>
</html>`.text
  }\n`;
}
