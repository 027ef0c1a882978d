import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { EngineState } from '../../adapters/telemetry/metric-register.ts';
import { type Answer, json } from './internal-answer.ts';

/** The operator's controls of an engine. Each takes effect in the background; `state` shows its progress. */
export interface ControlSurface {
  state(): EngineState;
  shardsInHand(): number;
  pause(): void;
  resume(): void;
  drain(): void;
}

/** Asked for with every change: a page in a browser cannot send it to another origin without asking first. */
const CONTROL_HEADER = 'x-broadside-control';

const isVerb = (text: string): text is 'pause' | 'resume' | 'drain' => /^(pause|resume|drain)$/.test(text);

/**
 * The secret that a change needs. `missing`: other machines may reach this listener and no secret is set, so it
 * refuses changes; the engine sends all the same. Null: only this machine reaches it.
 */
export type ControlSecret = { readonly text: string } | 'missing' | null;

/** `GET /state`, `POST /pause`, `/resume`, `/drain`. Null for any other path. */
export function controlAnswer(
  request: IncomingMessage,
  path: string,
  { engine, secret }: { readonly engine: ControlSurface | null; readonly secret: ControlSecret },
): Answer | null {
  const verb = path.slice(1);
  const reads = verb === 'state';
  if (!reads && !isVerb(verb)) return null;
  if (reads ? !/^(GET|HEAD)$/.test(request.method ?? '') : request.method !== 'POST')
    return { ...json(405, { message: 'Not this method.' }), allow: reads ? 'GET, HEAD' : 'POST' };
  if (!reads && isFromBrowser(request))
    return json(403, { message: `Send the header ${CONTROL_HEADER}: 1, and not from a page in a browser.` });
  const refused = reads ? null : refusalOf(request, secret);
  if (refused !== null) return refused;
  if (engine === null) return json(503, { message: 'The engine has not started yet.' });
  if (isVerb(verb)) engine[verb]();
  return json(reads ? 200 : 202, { state: engine.state(), shards_in_hand: engine.shardsInHand() });
}

function refusalOf(request: IncomingMessage, secret: ControlSecret): Answer | null {
  if (secret === null) return null;
  if (secret === 'missing')
    return json(403, {
      message: 'Set INTERNAL_SECRET and start the engine again: it takes no changes without.',
    });
  if (shows(request, secret.text)) return null;
  return json(401, { message: 'Send INTERNAL_SECRET as "Authorization: Bearer …".' });
}

/** Hashed before they are compared: the time reveals neither length nor beginning of the secret. */
function shows({ headers }: IncomingMessage, secret: string): boolean {
  const [, given] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(secret));
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * There is no log-in here, so a page that the operator happens to visit must not get through: browsers send the
 * origin with every POST, also to a name that was made to point here.
 */
function isFromBrowser({ headers }: IncomingMessage): boolean {
  const told = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  return told || headers[CONTROL_HEADER] !== '1';
}
