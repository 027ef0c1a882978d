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
output[data-waiting]::before{content:"";display:inline-block;width:1em;height:1em;margin-right:.6em;vertical-align:-.15em;border:3px solid;border-right-color:transparent;border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{rotate:1turn}}
@media(prefers-reduced-motion){output[data-waiting]::before{animation:none}}
#notify svg{vertical-align:-.2em;margin-right:.2em}
a{overflow-wrap:anywhere}
li{margin:.75rem 0}
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

const bell =
  '<svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true"><path d="M12 22a2.5 2.5 0 0 0 2.45-2h-4.9A2.5 2.5 0 0 0 12 22Zm7-6v-5a7 7 0 0 0-5.5-6.84V3.5a1.5 1.5 0 0 0-3 0v.66A7 7 0 0 0 5 11v5l-2 2v1h18v-1Z"/></svg>';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Broadside: example page</title>
<style>${style}</style>
<main>
<h1>Try a notification in this browser</h1>
<form hidden>
  <label for="app">Your app’s identifier, as <code>broadside apps list</code> shows it</label>
  <p><input id="app" name="app" required pattern="[a-z0-9\\-]+" placeholder="example-news-k3x9qa"> <button>Go on</button></p>
</form>
<section hidden>
  <p id="how">Press the bell and allow notifications. On your site it stands in a corner of every page.</p>
  <p><button id="notify" type="button">${bell} <span>Turn notifications on</span></button></p>
  <output aria-live="polite"></output>
  <pre tabindex="0" aria-label="Command" hidden></pre>
</section>
<section id="insecure" hidden>
  <p>This page came over plain http, where no browser lets a page ask for notifications: they do over https, and on the device that Broadside runs on (localhost). So there are two ways:</p>
  <ul>
    <li><strong>https</strong>: put a proxy with a certificate before Broadside (<a href="/docs/guides/reverse-proxy">Reverse proxy</a>), and start it with <code>PUBLIC_BASE_URL=https://…</code> of that address.</li>
    <li><strong>An Android phone on a USB cable</strong>: start Broadside with <code>ALLOW_LOCALHOST_ORIGIN=true</code>, run this command on its machine, and open <a id="forwarded" href="/example"></a> on the phone.</li>
  </ul>
  <pre tabindex="0" aria-label="Command of the second way"></pre>
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
  denied: 'You have blocked notifications for this page. Allow them in the browser’s settings, and load it again.',
  unsubscribed: 'Notifications are off.',
  'opted-out': 'Notifications are off.',
  subscribed: 'Notifications are on. Now send one from the dashboard (Compose), or from a terminal:',
};
const find = (selector) => document.querySelector(selector);
const say = (text, isWaiting = false) => {
  find('output').textContent = text;
  find('output').toggleAttribute('data-waiting', isWaiting);
};

/** Whom this browser asks for an address; nobody but its maker can tell for certain. */
const pushService = () => {
  const { userAgent } = navigator;
  if (/Firefox/.test(userAgent)) return 'updates.push.services.mozilla.com';
  if (/Edg/.test(userAgent)) return 'client.wns.windows.com';
  return /Chrome|Chromium/.test(userAgent) ? 'fcm.googleapis.com' : 'web.push.apple.com';
};
const whatToDo = () =>
  'The push service ' + pushService() + ' has not answered. This browser asks it over the internet, and a firewall, a ' +
  'company network or a VPN may keep it from it: try another network, or another browser. Brave needs “Use Google ' +
  'services for push messaging” in its settings under Privacy; Chromium without Google’s keys has none.';

/** Says what is waited for, from the click on. */
async function turnOn(broadside) {
  say('Waiting for you: allow notifications in the question that the browser asks.', true);
  const began = Date.now();
  const timer = setInterval(() => {
    if (Notification.permission === 'granted')
      say('Waiting for the push service of this browser, ' + pushService() + '… ' +
        Math.round((Date.now() - began) / 1000) + ' s', true);
  }, 1000);
  try {
    return await broadside.subscribe();
  } finally {
    clearInterval(timer);
  }
}

async function start() {
  const broadside = await Broadside.init({ appId, baseUrl: location.origin, prompt: false });
  const button = find('#notify');
  let isBusy = false;
  const show = (state) => {
    const isOn = state === 'subscribed';
    button.setAttribute('aria-pressed', String(isOn));
    button.querySelector('span').textContent = isOn ? 'Turn notifications off' : 'Turn notifications on';
    find('pre').hidden = !isOn;
    say(state === 'timed-out' ? whatToDo() : words[state]);
  };
  button.addEventListener('click', async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      const isOn = (await broadside.state()) === 'subscribed';
      show(await (isOn ? broadside.unsubscribe() : turnOn(broadside)));
    } catch (error) {
      const state = await broadside.state();
      if (state === 'unsubscribed') say(error.message + ' ' + whatToDo());
      else show(state);
    } finally {
      isBusy = false;
    }
  });
  broadside.onState((state) => isBusy || show(state));
}

/** Where a browser refuses push whatever the page does, what lets it in. */
function sayInsecure() {
  const port = location.port || '80';
  const forwarded = find('#forwarded');
  forwarded.href = 'http://localhost:' + port + location.pathname + location.search;
  forwarded.textContent = forwarded.href;
  find('#insecure pre').textContent = 'adb reverse tcp:' + port + ' tcp:' + port;
  find('#insecure').hidden = false;
}

if (!appId) find('form').hidden = false;
else if (!isSecureContext) sayInsecure();
else {
  find('section').hidden = false;
  find('pre').textContent = 'broadside send --app ' + appId + ' \\\\\\n  --title "It works" --body "Sent to this browser." \\\\\\n  --url ' + location.href;
  start().catch((error) => say(error.message));
}
`;
