import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createHttp, type Http } from '../../../bench/stand/http.ts';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { type BroadsideProcess, startBroadside } from '../broadside-process.ts';
import { type MozillaPush, startMozillaPush } from '../mozilla-push/start.ts';
import { keepCertificate } from '../push-service/certificate.ts';
import { type ApiFront, startApiFront } from './api-front.ts';
import { type NewsSite, startNewsSite } from './news-site.ts';

/** A whole Broadside, a publisher's site and a push service, for a browser to meet. */
export interface Newsroom {
  readonly site: NewsSite;
  readonly push: MozillaPush;
  readonly broadside: BroadsideProcess;
  /** Between browsers and the API. */
  readonly front: ApiFront;
  /** The front's. */
  readonly apiUrl: string;
  readonly appId: string;
  readonly client: Http;
  /** For commands on its data. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const bin = fileURLToPath(new URL('../../../api/bin.mjs', import.meta.url));
const abilities = 'apps:read,apps:write,subscriptions:read,deliveries:read,deliveries:write,analytics:read';

export async function startNewsroom(): Promise<Newsroom> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-newsroom-'));
  // The embedded Postgres runs as another user where we are root.
  await chmod(folder, 0o755);
  const cleanups: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    const push = await startMozillaPush(folder);
    cleanups.push(() => push.stop());
    const site = await startNewsSite(await keepCertificate(folder, ['localhost']));
    cleanups.push(() => site.stop());
    const ports = { api: await freePort(), internal: await freePort(), reporting: await freePort() };
    const env = settings(folder, push.caFile, ports);
    const readyUrl = `http://127.0.0.1:${ports.internal}/health/ready`;
    const broadside = await startBroadside({ args: ['up'], env, readyUrl });
    cleanups.push(() => broadside.stop());
    const front = await startApiFront(ports.api);
    cleanups.push(() => front.stop());
    const client = createHttp(`http://127.0.0.1:${ports.api}/api/v1/client`, await createToken(env));
    const app = await client.post<{ data: { identifier: string } }>('/apps', {
      name: 'Example News',
      site_domain: site.origin,
    });
    const { PATH = '', HOME = '' } = process.env;
    const parts = { site, push, broadside, front, client, environment: { PATH, HOME, ...env } };
    return { ...parts, apiUrl: front.url, appId: app.data.identifier, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function settings(
  folder: string,
  caFile: string,
  ports: { readonly api: number; readonly internal: number; readonly reporting: number },
): Record<string, string> {
  return {
    DATA_FOLDER: join(folder, 'data'),
    API_PORT: String(ports.api),
    INTERNAL_PORT: String(ports.internal),
    REPORTING_PORT: String(ports.reporting),
    PUSH_SERVICE_CA_FILE: caFile,
    ALLOW_ANY_PUSH_HOST: 'true',
    // Without it the app's own site would sign, which is on localhost, and push services refuse that.
    VAPID_SUBJECT: 'mailto:push@news.example',
    CLIENT_RATE_PER_MINUTE: '10000',
    WORKER_THREADS: '1',
    LOG_LEVEL: 'warn',
  };
}

async function createToken(env: Readonly<Record<string, string>>): Promise<string> {
  const owner = ['--email', 'editor@news.example', '--organization', 'Example News', '--role', 'admin'];
  const args = [bin, 'token', 'create', ...owner, '--name', 'test', '--abilities', abilities, '--json'];
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run(process.execPath, args, { env: { PATH, HOME, ...env } });
  return (JSON.parse(stdout) as { token: string }).token;
}
