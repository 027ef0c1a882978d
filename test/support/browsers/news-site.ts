import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../push-service/certificate.ts';

/** A publisher's site over https, as the SDK is put into one: a page, its stories, and a worker of one line. */
export interface NewsSite {
  /** `https://localhost:port`: the app's site_domain. */
  readonly origin: string;
  /** What its front page is from now on. */
  setPage(page: NewsPage): void;
  /** A script at another path, from now on. */
  setFile(path: string, script: string): void;
  stop(): Promise<void>;
}

/** A page that puts the SDK in by itself, or one whose HTML is given. */
export type NewsPage =
  | ScriptedPage
  | { readonly front: string; readonly worker: string; readonly policy?: never };

export interface ScriptedPage {
  /** Of the SDK: its address. */
  readonly apiUrl: string;
  /** JavaScript, run as the page loads. */
  readonly script: string;
  /** `/broadside-worker.js`. Default: imports the SDK's whole worker. */
  readonly worker?: string;
  /** A Content-Security-Policy; `nonce-news` is the nonce of the page's scripts. */
  readonly policy?: string;
  /** Before the scripts. */
  readonly body?: string;
}

const html = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Example News</title>${body}</html>`;

const frontOf = (page: NewsPage): string => ('front' in page ? html(page.front) : scripted(page));
const workerOf = (page: NewsPage): string =>
  'front' in page ? page.worker : (page.worker ?? `importScripts('${page.apiUrl}/sdk/v1/worker.js');`);

const scripted = ({
  apiUrl,
  script,
  body = '<button id="notify">Notifications</button>',
}: ScriptedPage): string =>
  html(`<main><h1>Example News</h1>${body}</main>
<script nonce="news" src="${apiUrl}/sdk/v1/broadside.js"></script><script nonce="news">${script}</script>`);

export async function startNewsSite({ cert, key }: Certificate): Promise<NewsSite> {
  let page: NewsPage = { apiUrl: '', script: '' };
  const files = new Map<string, string>();
  const server = createServer({ cert, key }, (request, response) => {
    const script = request.url === '/broadside-worker.js' ? workerOf(page) : files.get(request.url ?? '');
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript');
      return response.end(script);
    }
    response.setHeader('content-type', 'text/html');
    if (page.policy !== undefined) response.setHeader('content-security-policy', page.policy);
    const story = request.url?.slice(1).split('?')[0] ?? '';
    response.end(story === '' ? frontOf(page) : html(`<main><h1>${encodeURIComponent(story)}</h1></main>`));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    setPage: (given) => {
      page = given;
    },
    setFile: (path, script) => void files.set(path, script),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
