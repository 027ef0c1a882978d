import { chmod, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { startBroadside } from '../broadside-process.ts';
import { keepCertificate } from '../push-service/certificate.ts';

/** The Broadside of a run that all newsrooms share: to start one takes five seconds of a core. */
export interface Installation {
  readonly apiPort: number;
  /** Holds the certificate that its engine trusts: of every push service of a newsroom. */
  readonly certificates: string;
  /** For commands on its data. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ServedInstallation {
  /** Starts it for the first who asks, and answers everybody with it once it is ready. */
  readonly url: string;
  stop(): Promise<void>;
}

/** In the process of Vitest itself, which outlives the files of a run. */
export async function serveInstallation(runFolder: string): Promise<ServedInstallation> {
  let starting: ReturnType<typeof startInstallation> | undefined;
  const server = createServer(async (_request, response) => {
    starting ??= startInstallation(runFolder);
    await starting.then(
      ({ installation }) => response.end(JSON.stringify(installation)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const started = await starting?.catch(() => undefined);
      await started?.stop();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function startInstallation(runFolder: string) {
  const folder = await mkdtemp(join(runFolder, 'broadside-newsrooms-'));
  // The embedded Postgres runs as another user where we are root.
  await chmod(folder, 0o755);
  const { caFile } = await keepCertificate(folder, ['localhost']);
  const ports = { api: await freePort(), internal: await freePort(), reporting: await freePort() };
  const env = settings(folder, caFile, ports);
  const readyUrl = `http://127.0.0.1:${ports.internal}/health/ready`;
  const broadside = await startBroadside({ args: ['up'], env, readyUrl });
  const { PATH = '', HOME = '' } = process.env;
  const environment = { PATH, HOME, ...env };
  const installation: Installation = { apiPort: ports.api, certificates: folder, environment };
  return { installation, stop: () => broadside.stop() };
}

const settings = (
  folder: string,
  caFile: string,
  ports: { readonly api: number; readonly internal: number; readonly reporting: number },
): Record<string, string> => ({
  DATA_FOLDER: join(folder, 'data'),
  API_PORT: String(ports.api),
  INTERNAL_PORT: String(ports.internal),
  REPORTING_PORT: String(ports.reporting),
  PUSH_SERVICE_CA_FILE: caFile,
  ALLOW_ANY_PUSH_HOST: 'true',
  // Without it the app's own site would sign, which is on localhost, and push services refuse that.
  VAPID_SUBJECT: 'mailto:push@news.example',
  CLIENT_RATE_PER_MINUTE: '10000',
  // The readers of all newsrooms come from one address.
  PUBLIC_RATE_PER_MINUTE: '100000',
  WORKER_THREADS: '1',
  LOG_LEVEL: 'warn',
});
