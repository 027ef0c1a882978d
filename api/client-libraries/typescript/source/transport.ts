import { randomUUID } from 'node:crypto';
import { addressOf, baseOf, credentialsOf, type Query, type Session } from './address.ts';
import { BroadsideError, ConnectionLostError, errorOf, RequestTimeoutError } from './errors.ts';
import { List, type Page, type PageQuery } from './pages.ts';
import { type Failure, isRepeatable, retryAfterMs, type Wait, waitAfter } from './retries.ts';

export interface BroadsideOptions {
  /** Such as `https://push.example.com`. */
  readonly baseUrl: string;
  /** `<token_id>|<secret>`, as `broadside token create` prints it. */
  readonly token?: string;
  /** Instead of a token, for operations that only people may call: see `openSession`. */
  readonly session?: Session;
  /** For a whole answer, of each try; 30 s by default. */
  readonly timeoutMs?: number;
  /** After the first try; 4 by default, 0 for none. */
  readonly maxRetries?: number;
  /** Called before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** Instead of Node's own, for a proxy or for tests. */
  readonly fetch?: typeof fetch;
}

export interface Retry {
  readonly operation: string;
  /** So far. */
  readonly tries: number;
  readonly waitMs: number;
  readonly reason: Wait['reason'];
}

/** Of one call. */
export interface CallOptions extends Pick<BroadsideOptions, 'timeoutMs' | 'maxRetries'> {
  /** Ends the call, its waits included; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}
/** Of a call that the API repeats safely. */
export interface KeyedCallOptions extends CallOptions {
  /** One is made where none is given. Give your own where your program may start again and call again. */
  readonly idempotencyKey?: string;
}

/** An operation as the generated client names it. */
export interface Call {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly takesKey?: true;
}
export interface Parts {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
interface Answer {
  readonly body: unknown;
  readonly headers: Headers;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 4;

/** Sends what the generated methods describe. */
export class Transport {
  readonly #base: URL;
  /** Private, so that no log of the client shows them. */
  readonly #credentials: Readonly<Record<string, string>>;
  readonly #options: Omit<BroadsideOptions, 'token' | 'session'>;

  constructor({ token, session, ...options }: BroadsideOptions) {
    this.#base = baseOf(options.baseUrl);
    this.#credentials = credentialsOf(token, session);
    this.#options = options;
  }

  protected async send<Result>(call: Call, parts: Parts, options: KeyedCallOptions = {}): Promise<Result> {
    return (await this.exchange(call, parts, options)).body as Result;
  }

  /** Of an answer that is `data` and nothing else. */
  protected async sendForData<Result>(call: Call, parts: Parts, options?: KeyedCallOptions): Promise<Result> {
    return (await this.send<{ data: Result }>(call, parts, options)).data;
  }

  protected list<Item>(call: Call, parts: Parts, options?: CallOptions): List<Item> {
    return new List<Item>((parts.query ?? {}) as PageQuery, (page) =>
      this.send<Page<Item>>(call, { ...parts, query: { ...parts.query, ...page } }, options),
    );
  }

  /** @internal */
  async exchange(call: Call, parts: Parts, options: KeyedCallOptions = {}): Promise<Answer> {
    const { operation, method } = call;
    const { maxRetries = this.#options.maxRetries ?? MAX_RETRIES, signal } = options;
    const request = this.#requestOf(call, parts, options.idempotencyKey);
    const repeatable = isRepeatable(method, request.headers.has('idempotency-key'));
    let mayBeDone = false;
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      const ending = await this.#attempt(call, request, options);
      if (ending.kind === 'answered') return ending.answer;
      const { failure, error } = ending;
      // The try before it has deleted it, and its answer was lost.
      if (method === 'DELETE' && mayBeDone && failure.kind === 'refused' && failure.status === 404)
        return { body: undefined, headers: new Headers() };
      mayBeDone ||= failure.kind === 'lost' ? failure.mayHaveArrived : failure.status > 500;
      const wait = tries > maxRetries ? null : waitAfter(failure, tries, repeatable);
      if (wait === null) throw error;
      this.#options.onRetry?.({ operation, tries, waitMs: wait.ms, reason: wait.reason });
      await pause(wait.ms, signal);
    }
  }

  #requestOf(call: Call, parts: Parts, key: string | undefined): Sent {
    const url = addressOf(this.#base, call.path, parts.path ?? {}, parts.query ?? {});
    const headers = new Headers({ accept: 'application/json', ...this.#credentials, ...parts.headers });
    if (call.takesKey) headers.set('idempotency-key', key ?? randomUUID());
    // `fetch` writes the type of a form itself, with its boundary.
    if (parts.body === undefined || parts.body instanceof FormData)
      return { url, method: call.method, headers, body: parts.body ?? null };
    headers.set('content-type', 'application/json');
    return { url, method: call.method, headers, body: JSON.stringify(parts.body) };
  }

  async #attempt({ operation }: Call, { url, ...request }: Sent, options: CallOptions): Promise<Ending> {
    const { timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS, signal } = options;
    const ended = new AbortController();
    const abort = (): void => ended.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ended.abort();
    }, timeoutMs);
    try {
      const send = this.#options.fetch ?? fetch;
      // A redirect would carry the token to wherever it leads.
      const response = await send(url, { ...request, redirect: 'manual', signal: ended.signal });
      return endingOf(operation, response, await response.text());
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof BroadsideError) throw error;
      return isLate ? timedOut(operation, timeoutMs) : lost(operation, error as Error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

interface Sent {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | FormData | null;
}

type Ending =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly error: BroadsideError };

function endingOf(operation: string, response: Response, text: string): Ending {
  const { status, headers } = response;
  const asked = retryAfterMs(headers.get('retry-after'));
  const refusal = { operation, status, requestId: headers.get('x-request-id'), retryAfterMs: asked };
  const failed = (): Ending => ({
    kind: 'failed',
    failure: { kind: 'refused', status, retryAfterMs: asked },
    error: errorOf(refusal, text),
  });
  if (!response.ok) return failed();
  if (text === '') return { kind: 'answered', answer: { body: undefined, headers } };
  try {
    return { kind: 'answered', answer: { body: JSON.parse(text) as unknown, headers } };
  } catch {
    return failed();
  }
}

const timedOut = (operation: string, timeoutMs: number): Ending => ({
  kind: 'failed',
  failure: { kind: 'lost', reason: 'timeout', mayHaveArrived: true, passes: true },
  error: new RequestTimeoutError(`${operation}: no complete answer within ${timeoutMs} ms`),
});

/** Nothing was sent over a connection that was never made. */
const neverSent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const broken: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function lost(operation: string, cause: Error): Ending {
  const code = (cause.cause as { code?: unknown } | undefined)?.code;
  const mayHaveArrived = !neverSent.has(code);
  const passes = !mayHaveArrived || broken.has(code);
  const why = typeof code === 'string' ? code : 'the request failed';
  return {
    kind: 'failed',
    failure: { kind: 'lost', reason: 'connection', mayHaveArrived, passes },
    error: new ConnectionLostError(`${operation}: no answer (${why})`, { cause }),
  };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
