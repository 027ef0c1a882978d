import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { createHttp, type Http } from '../../../bench/stand/http.ts';
import { type MozillaPush, startMozillaPush } from '../mozilla-push/start.ts';
import { keepCertificate } from '../push-service/certificate.ts';
import { runCliHere } from '../run-cli-here.ts';
import { type ApiFront, startApiFront } from './api-front.ts';
import type { Installation } from './installation.ts';
import { type NewsSite, startNewsSite } from './news-site.ts';

/** A publisher's site, its app, and a push service, for a browser to meet, on the Broadside that the run shares. */
export interface Newsroom {
  readonly site: NewsSite;
  readonly push: MozillaPush;
  /** Between browsers and the API. */
  readonly front: ApiFront;
  /** The front's. */
  readonly apiUrl: string;
  readonly appId: string;
  readonly client: Http;
  /** Runs a command of the command line on Broadside's data. @returns what it printed. */
  command(...args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

const abilities = 'apps:read,apps:write,subscriptions:read,deliveries:read,deliveries:write,analytics:read';

/** With an organization of its own. */
export async function startNewsroom(): Promise<Newsroom> {
  await using opening = new AsyncDisposableStack();
  const open = async <Part extends { stop(): Promise<void> }>(starting: Promise<Part>): Promise<Part> => {
    const part = await starting;
    opening.defer(() => part.stop());
    return part;
  };
  const { apiPort, certificates, environment } = await askForInstallation();
  const push = await open(startMozillaPush(certificates));
  const site = await open(startNewsSite(await keepCertificate(certificates, ['localhost'])));
  const front = await open(startApiFront(apiPort));
  const command = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await runCliHere(args, { cwd: certificates, env: environment });
    if (code !== 0) throw new Error(`broadside ${args.join(' ')} ended with ${code}: ${err}${out}`);
    return out;
  };
  const client = createHttp(`http://127.0.0.1:${apiPort}/api/v1/client`, await createToken(command));
  const app = await client.post<{ data: { identifier: string } }>('/apps', {
    name: 'Example News',
    site_domain: site.origin,
  });
  const closing = opening.move();
  return {
    ...{ site, push, front, client, command, apiUrl: front.url, appId: app.data.identifier },
    stop: () => closing.disposeAsync(),
  };
}

async function askForInstallation(): Promise<Installation> {
  const answer = await fetch(inject('installationUrl'));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Installation;
}

/** Of a user of its own: each has a rate. */
async function createToken(command: Newsroom['command']): Promise<string> {
  const mark = randomBytes(4).toString('hex');
  const owner = ['--email', `editor-${mark}@news.example`, '--organization', `Example News ${mark}`];
  const rights = ['--role', 'admin', '--name', 'test', '--abilities', abilities];
  return (JSON.parse(await command('token', 'create', ...owner, ...rights, '--json')) as { token: string })
    .token;
}
