import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { snippetsOf, WORKER_PATH } from './snippet.ts';

/**
 * A page on the API's own address that shows the SDK at work: `/example?app=<identifier>`. It is a publisher's
 * page in all but its address: the app's site must be this address, or on localhost ALLOW_LOCALHOST_ORIGIN be set.
 */
export function examplePage(app: FastifyInstance): void {
  app.get('/example', hidden, (_request, reply) =>
    reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page),
  );
  app.get('/example.js', hidden, (_request, reply) => reply.type(javascript).send(script));
  app.get(WORKER_PATH, hidden, (_request, reply) => reply.type(javascript).send(worker));
}

const hidden = { schema: { hide: true } } as const;
const javascript = 'text/javascript; charset=utf-8';

/** All that a publisher puts on its own site. */
const worker = snippetsOf({ appId: '', baseUrl: '' }).worker;

const style = `
:root{color-scheme:light dark;font:17px/1.5 system-ui,sans-serif}
body{max-width:38rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.6rem;line-height:1.2}
button,input{font:inherit;min-height:44px;padding:.4em 1em;border-radius:8px;border:1px solid}
button{cursor:pointer;background:#0b57d0;color:#fff;border-color:#0b57d0}
button[aria-pressed=true]{background:none;color:inherit;border-color:currentColor}
:focus-visible{outline:3px solid #f5a623;outline-offset:2px}
output{display:block;margin:1rem 0;padding:.75rem 1rem;border:1px solid;border-radius:8px}
pre{overflow:auto;padding:1rem;border:1px solid;border-radius:8px;font-size:.85rem}
`;

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Broadside: example page</title>
<style>${style}</style>
<main>
<h1>Try a notification in this browser</h1>
<form hidden>
  <label for="app">Your app’s identifier, as <code>npx broadside apps list</code> shows it</label>
  <p><input id="app" name="app" required pattern="[a-z0-9\\-]+" placeholder="example-news-k3x9qa"> <button>Go on</button></p>
</form>
<section hidden>
  <p>What a reader of your site sees: a button that turns notifications on and off.</p>
  <p><button id="notify" type="button">Notifications</button></p>
  <output aria-live="polite"></output>
  <pre tabindex="0" aria-label="Command" hidden></pre>
</section>
</main>
<script src="/sdk/v1/broadside.js"></script>
<script src="/example.js"></script>
</html>
`;

const script = `const appId = new URLSearchParams(location.search).get('app');
const words = {
  unsupported: 'This browser has no web push, or this page is not secure: open it over https, or on localhost.',
  'needs-home-screen': 'Add this page to your home screen first, and open it from there.',
  denied: 'You have blocked notifications for this page. Allow them in the browser’s settings.',
  unsubscribed: 'Notifications are off.',
  'opted-out': 'Notifications are off.',
  subscribed: 'Notifications are on. Now send one:',
  'timed-out': 'The browser’s push service or Broadside did not answer. Try again.',
};
const find = (selector) => document.querySelector(selector);
const options = { appId, baseUrl: location.origin, prompt: { kind: 'element', element: '#notify' } };

if (!appId) find('form').hidden = false;
else {
  find('section').hidden = false;
  find('pre').textContent = 'npx broadside send --app ' + appId + ' \\\\\\n  --title "It works" --body "Sent to this browser." \\\\\\n  --url ' + location.href;
  Broadside.init(options).then((broadside) =>
    broadside.onState((state) => {
      find('output').textContent = words[state];
      find('pre').hidden = state !== 'subscribed';
    }),
  ).catch((error) => { find('output').textContent = error.message; });
}
`;
