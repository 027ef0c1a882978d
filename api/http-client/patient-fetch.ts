/**
 * `fetch` that waits where the API asks for it. A request is sent again where that cannot do its work twice:
 * it was refused before it ran (429), or it is a read, or it carries an `Idempotency-Key`.
 */
export interface PatientOptions {
  /** Called before each wait, to show it. */
  readonly onWait?: (waitMs: number, why: string) => void;
  readonly fetch?: typeof fetch;
  readonly sleep?: (ms: number) => Promise<void>;
  /** For an answer to begin. */
  readonly answerTimeoutMs?: number;
  /** Where a person tries again, a request without an answer ends at once. */
  readonly retriesLost?: boolean;
}

const MAX_TRIES = 8;
const MAX_WAIT_MS = 120_000;
const FIRST_WAIT_MS = 500;
const ANSWER_TIMEOUT_MS = 60_000;

export function createPatientFetch(options: PatientOptions = {}): (request: Request) => Promise<Response> {
  const { onWait = () => {}, sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = options;
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS, retriesLost = true } = options;
  const send = options.fetch ?? fetch;

  return async function patientFetch(request) {
    for (let tries = 1; ; tries++) {
      // A body can be read once: each try sends a copy.
      const answer = await attempt(request.clone());
      const isFinal = tries === MAX_TRIES || (answer instanceof Error && !retriesLost);
      const wait = isFinal ? null : waitAfter(answer, request, tries);
      if (wait === null) {
        if (answer instanceof Response) return answer;
        throw answer;
      }
      if (answer instanceof Response) await answer.body?.cancel();
      onWait(wait.ms, wait.why);
      await sleep(wait.ms);
    }
  };

  function attempt(request: Request): Promise<Response | Error> {
    return send(request, { signal: AbortSignal.timeout(answerTimeoutMs) }).catch((error: Error) => error);
  }
}

interface Wait {
  readonly ms: number;
  readonly why: string;
}

/** Null: the answer is final. */
function waitAfter(answer: Response | Error, request: Request, tries: number): Wait | null {
  const backOffMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  if (answer instanceof Error) {
    return isRepeatable(request) && isPassing(answer)
      ? { ms: backOffMs, why: 'the connection failed' }
      : null;
  }
  const asked = retryAfterMs(answer) ?? backOffMs;
  if (asked > MAX_WAIT_MS) return null;
  if (answer.status === 429) return { ms: asked, why: 'the rate limit is reached' };
  return answer.status === 503 && isRepeatable(request)
    ? { ms: asked, why: 'the service is unavailable' }
    : null;
}

/** Errors that pass by themselves. A refused connection or an unknown name needs a person. */
const passing: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);
const isPassing = (error: Error): boolean =>
  error.name === 'TimeoutError' || passing.has((error.cause as { code?: unknown } | undefined)?.code);

const isRepeatable = (request: Request): boolean =>
  ['GET', 'HEAD'].includes(request.method) || request.headers.has('idempotency-key');

function retryAfterMs(answer: Response): number | null {
  const seconds = answer.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null;
}
