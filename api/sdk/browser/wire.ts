import type { Prompt } from './app-prompts/protocol.ts';
import { jsonOf } from './json.ts';
import { nativeFetch } from './native-fetch.ts';

/** How a call of the public API ended. `later`: the network, or a server that asks to be left alone for now. */
type Sent = 'taken' | 'refused' | 'later';

interface Api {
  readonly appId: string;
  readonly baseUrl: string;
  readonly secret?: string;
}

/** No such app for this page. */
export const FORBIDDEN = 403;
/** A server that asks to be left alone for now. */
const isLater = ({ status }: Response): boolean => status === 429 || status >= 500;
/** A silent server or network; where the browser supports such signals. */
const TIMEOUT_MS = 20_000;
const signal = () => AbortSignal.timeout?.(TIMEOUT_MS) ?? null;

/** Without a prototype: a browser reads inherited options too, and pages put things on all objects. */
const call = (url: string, init: RequestInit): Promise<Response> =>
  nativeFetch(url, { __proto__: null, ...init, credentials: 'omit', signal: signal() } as RequestInit);

const send = (api: Api, path: string, body: object): Promise<Response> =>
  call(`${api.baseUrl}/api/v1/public/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-id': api.appId },
    body: jsonOf({ appId: api.appId, browserSecret: api.secret, ...body }),
    // A page that is left meanwhile does not take it along.
    keepalive: true,
  });

/** @returns null where it is refused. @throws Error where it cannot be had now. */
export async function ask<Answer>(api: Api, path: string, body: object): Promise<Answer | null> {
  const answer = await send(api, path, body);
  if (isLater(answer)) throw new Error(`Broadside: ${path}: ${answer.status}`);
  return answer.ok ? answer.json() : null;
}

export async function post(api: Api, path: string, body: object): Promise<Sent> {
  try {
    const answer = await send(api, path, body);
    if (answer.ok) return 'taken';
    return isLater(answer) ? 'later' : 'refused';
  } catch {
    return 'later';
  }
}

interface PublicApp {
  /** The key that a subscription is made with, base64url. */
  readonly vapidPublicKey: string;
  /** An API of an earlier version has none. */
  readonly fallbackText?: string | null;
  readonly hasPreferences?: boolean;
  readonly preferencesButton?: string | null;
  readonly appBadge?: boolean;
}

export const readApp = (api: Api): Promise<PublicApp> => read(api, 'app');

/** Null: the app has set none. */
export const readPrompt = async (api: Api): Promise<Prompt | null> =>
  (await read<{ readonly prompt: Prompt | null }>(api, 'prompts')).prompt;

/** @throws Error where it cannot be had. */
async function read<Answer>({ baseUrl, appId }: Api, path: string): Promise<Answer> {
  const answer = await call(`${baseUrl}/api/v1/public/${path}`, { headers: { 'x-app-id': appId } });
  const body = await answer.json();
  if (answer.ok) return body;
  throw new Error(`Broadside: ${body.message} (app ${appId}, page ${location.origin})`, {
    cause: answer.status,
  });
}
