import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import { createPatientFetch } from '../../../../http-client/patient-fetch.ts';
import type { paths } from '../../../../http-client/schema.d.ts';
import { lostProblem, Problem, problemOf, saidOf } from './problem.ts';

/** The API as this page calls it: by session, waiting where it is asked to wait. */
export type Api = Client<paths>;

export interface ApiOptions {
  /** The API's base URL, without a slash at its end. */
  readonly baseUrl: string;
  /** Of the session; null before the log-in. */
  readonly csrfToken: () => string | null;
  /** The session has ended. */
  readonly onLoggedOut: () => void;
  /** Called before each wait. */
  readonly onWait: (waitMs: number) => void;
}

/** Then the page says so, and a person tries again. A picture takes a while on a slow line. */
const ANSWER_TIMEOUT_MS = 30_000;
const LOG_IN = '/api/v1/account/log-in';

export function createApi({ baseUrl, csrfToken, onLoggedOut, onWait }: ApiOptions): Api {
  const patient = createPatientFetch({ onWait, answerTimeoutMs: ANSWER_TIMEOUT_MS, retriesLost: false });
  const session: Middleware = {
    onRequest({ request }) {
      const token = csrfToken();
      if (request.method !== 'GET' && token !== null) request.headers.set('x-csrf-token', token);
      return request;
    },
    onResponse({ response, schemaPath }) {
      if (response.status === 401 && !schemaPath.startsWith(LOG_IN)) onLoggedOut();
    },
  };
  const api = createFetchClient<paths>({
    baseUrl,
    headers: { accept: 'application/json' },
    // Too many failed log-ins are said at once: their wait is a quarter of an hour.
    fetch: (request) =>
      request.url.includes(LOG_IN)
        ? fetch(request, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
        : patient(request),
  });
  api.use(session);
  return api;
}

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a good answer. @throws Problem for every other one. */
export async function bodyOf<Data>(answering: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await answering.catch((failure: unknown) => {
    throw lostProblem(failure);
  });
  if (response.ok) return data as Data;
  if (response.status === 401) throw new Problem(401, saidOf(error) ?? problemOf(401, error).message);
  throw problemOf(response.status, error);
}

/** The content of `data`. @throws Problem where the answer is none. */
export const dataOf = async <Data>(answering: Promise<Answered<{ data: Data }>>): Promise<Data> =>
  (await bodyOf(answering)).data;
