import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Control } from './control.ts';

export interface TestProvider {
  readonly issuer: string;
  /** @returns what an evil one got at its token endpoint. */
  control(wanted: Control): Promise<readonly string[]>;
  /** What a browser does: follows the provider's redirects, with its cookies, until they lead elsewhere. */
  visit(url: string): Promise<string>;
  stop(): Promise<void>;
}

export const CLIENT = { id: 'broadside', secret: 'a secret of the client' } as const;
const MOST_STEPS = 10;

export async function startTestProvider(uris: {
  readonly redirectUris: readonly string[];
  readonly logOutUris?: readonly string[];
}): Promise<TestProvider> {
  const child = spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname], {
    env: {
      ...process.env,
      REDIRECT_URIS: JSON.stringify(uris.redirectUris),
      LOG_OUT_URIS: JSON.stringify(uris.logOutUris ?? []),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const issuer = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => line.startsWith('http://') && resolve(line));
    child.once('exit', () => reject(new Error('the provider ended before it began')));
  });
  return {
    issuer,
    control: async (wanted) => {
      const answer = await fetch(`${issuer}/control`, { method: 'POST', body: JSON.stringify(wanted) });
      if (!answer.ok) throw new Error(`the provider answered ${answer.status}`);
      return ((await answer.json()) as { taken: string[] }).taken;
    },
    visit: (url) => visit(issuer, url),
    stop: async () => {
      child.kill();
      await exit;
    },
  };
}

async function visit(issuer: string, from: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = from;
  for (let step = 0; step < MOST_STEPS && url.startsWith(issuer); step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    await answer.arrayBuffer();
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${answer.status} at ${url}`);
    url = new URL(location, url).href;
  }
  return url;
}
