import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSendOnce } from '../send-compressed.ts';
import { isObject, type JsonObject } from './named-schemas.ts';
import { drawGuides, type Guide, guidesByGroup } from './pages/guides.ts';
import { type Html, html } from './pages/html.ts';
import { type DocsPage, drawPage, type Frame, upFrom } from './pages/layout.ts';
import { blockMarkdown, idOf, inlineMarkdown } from './pages/markdown.ts';
import { drawReference } from './pages/reference.ts';
import { drawResults, type FindEntries, indexEntries } from './pages/search.ts';

const PREFIX = '/docs';
const HTML = 'text/html; charset=utf-8';

/** The pages run one script and make no third-party requests. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const staticFiles: Readonly<Record<string, string>> = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'favicon.svg': 'image/svg+xml',
};

interface Site {
  readonly pages: readonly DocsPage[];
  readonly frame: Frame;
  readonly find: FindEntries;
  /** For an address that is none of the others. */
  readonly drawMissing: (path: string) => DocsPage;
}

/**
 * Guides and the OpenAPI text for readers, at `/docs`. Everything is drawn here, so a page is read without a
 * script; it is drawn when it is first asked for, and kept.
 * @param document the finished OpenAPI text, known once all routes are.
 */
export function registerDocsPage(
  app: FastifyInstance,
  { title, guides }: { readonly title: string; readonly guides: readonly Guide[] },
  document: () => JsonObject,
): void {
  let made: Site | null = null;
  const site = (): Site => (made ??= drawSite(title, guides, document()));
  const senders = new Map<string, ReturnType<typeof createSendOnce>>();

  const sendMissing = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { drawMissing, frame } = site();
    return reply
      .code(404)
      .type(HTML)
      .send(drawPage(drawMissing(pathBelow(request.url)), frame));
  };
  const sendDrawn = (request: FastifyRequest, reply: FastifyReply, path: string): unknown => {
    const page = site().pages.find((each) => each.path === path);
    if (page === undefined) return sendMissing(request, reply);
    const send = senders.get(path) ?? createSendOnce(() => drawPage(page, site().frame), HTML);
    senders.set(path, send);
    return send(request, reply);
  };

  void app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', contentSecurityPolicy);
    });
    const schema = { hide: true } as const;
    // With the slash at its end, relative addresses lead below it, behind any proxy.
    docs.get(PREFIX, { schema }, (request, reply) =>
      reply.redirect(`.${PREFIX}/${queryOf(request.url)}`, 308),
    );
    docs.get(`${PREFIX}/`, { schema }, (request, reply) => sendDrawn(request, reply, ''));
    for (const [name, type] of Object.entries(staticFiles)) {
      const file = new URL(`static/${name}`, import.meta.url);
      docs.get(
        `${PREFIX}/static/${name}`,
        { schema },
        createSendOnce(() => readFileSync(file, 'utf8'), type),
      );
    }
    docs.get<{ Querystring: { readonly q?: unknown } }>(`${PREFIX}/search`, { schema }, (request, reply) => {
      const query = String(request.query.q ?? '')
        .slice(0, 100)
        .trim();
      const { find, frame } = site();
      const body = drawResults(query, find(query));
      return reply.type(HTML).send(drawPage({ path: 'search', title: 'Search', body }, frame, query));
    });
    for (const kind of ['guides', 'reference']) {
      docs.get<{ Params: { readonly name: string } }>(
        `${PREFIX}/${kind}/:name`,
        { schema },
        (request, reply) => sendDrawn(request, reply, `${kind}/${request.params.name}`),
      );
    }
    docs.get(`${PREFIX}/*`, { schema }, sendMissing);
  });
}

/** Deeper ones are nobody's, and their links need not lead anywhere. */
const DEEPEST = 8;

/** Of an address that nothing is known of: its own characters stand in no page. */
function pathBelow(url: string): string {
  const [path = ''] = url.split('?', 1);
  const depth = path.slice(PREFIX.length + 1).split('/').length - 1;
  return `${'-/'.repeat(Math.min(depth, DEEPEST))}-`;
}

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

function drawSite(name: string, given: readonly Guide[], document: JsonObject): Site {
  const reference = drawReference(document);
  const guides = drawGuides(given, (file) => readFileSync(file, 'utf8'), reference.addresses);
  const navigation = [
    { title: name, pages: [{ path: '', title: 'Start' }] },
    ...guides.navigation,
    reference.navigation,
  ];
  const start = { path: '', title: 'Start', body: drawStart(name, given, document) };
  const drawMissing = (path: string): DocsPage => ({
    path,
    title: 'No such page',
    body: html`<h1>There is no such page</h1>
<p class="lead">Search for it above, or begin here.</p>
${drawLists(given, document, upFrom(path))}`,
  });
  return {
    pages: [start, ...guides.pages, ...reference.pages],
    frame: { name, navigation },
    find: indexEntries([...guides.entries, ...reference.entries]),
    drawMissing,
  };
}

function drawStart(name: string, guides: readonly Guide[], document: JsonObject): Html {
  const { info } = document;
  const description = isObject(info) ? String(info.description ?? '') : '';
  return html`<h1>${name} documentation</h1>
${drawLists(guides, document, './')}
<p>For generators: the <a href="../api/v1/openapi.json">OpenAPI text</a> (3.1, JSON).</p>
<h2 id="all-requests">What holds for all requests</h2>
${blockMarkdown(description)}`;
}

/** Everything there is, in groups. @param up leads from the page to `/docs/`. */
function drawLists(guides: readonly Guide[], { tags }: JsonObject, up: string): Html {
  const named = [tags ?? []].flat().filter(isObject);
  const groups = guidesByGroup(guides).map(({ title, guides: own }) => ({
    title,
    cards: own.map(({ name, title: about, summary }) => ({
      path: `guides/${name}`,
      title: about,
      text: html`${summary}`,
    })),
  }));
  const reference = named.map(({ name, description }) => ({
    path: `reference/${idOf(String(name))}`,
    title: String(name),
    text: inlineMarkdown(String(description ?? '')),
  }));
  return html`${[...groups, { title: 'Reference', cards: reference }].map(
    ({ title: group, cards }) => html`<h2 id="${idOf(group)}">${group}</h2>
<ul class="cards">${cards.map(
      ({ path, title, text }) => html`<li><a href="${up}${path}"><b>${title}</b><br>${text}</a></li>`,
    )}</ul>
`,
  )}`;
}
