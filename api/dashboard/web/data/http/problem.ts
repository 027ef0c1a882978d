import { t } from '../../texts/t.ts';

/** A failed request, in words for the user. */
export class Problem extends Error {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Field of the body → its error. */
  readonly fields: Readonly<Record<string, string>>;
  /** The whole answer, where a page shows more of it. */
  readonly answer: unknown;

  constructor(
    status: number,
    message: string,
    fields: Readonly<Record<string, string>> = {},
    answer: unknown = null,
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.answer = answer;
  }
}

/** The body of the API's refusals. */
interface Refusal {
  readonly message?: string;
  /** Names a cause that a person has to fix. */
  readonly code?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export function problemOf(status: number, body: unknown): Problem {
  const { message, code, errors = {} } = isRefusal(body) ? body : {};
  const fields = Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field, messages.map(withoutField).join(' ')]),
  );
  // The API's message, where the user can resolve the error; otherwise the meaning of the status.
  const isForPeople = status === 422 || code !== undefined;
  const words = isForPeople && message !== undefined ? withoutField(message) : t.problems.ofStatus(status);
  return new Problem(status, words, fields, body);
}

/** No answer came: this browser is offline, Broadside took too long, or it is not there. */
export function lostProblem(failure: unknown): Problem {
  if (isOffline()) return new Problem(0, t.problems.offline);
  const late = failure instanceof Error && failure.name === 'TimeoutError';
  return late ? new Problem(0, t.problems.late) : problemOf(0, null);
}

/** As far as the browser knows. */
export const isOffline = (): boolean => navigator.onLine === false;

/** The API's message where it is more specific than the status: a wrong password, a role. */
export const saidOf = (body: unknown): string | undefined => (isRefusal(body) ? body.message : undefined);

const isRefusal = (body: unknown): body is Refusal => typeof body === 'object' && body !== null;

/** `The site_domain field must not …` → `Must not …`: the page shows it at its field. */
function withoutField(message: string): string {
  const rest = /^The \S+ field (.*)$/.exec(message)?.[1];
  return rest === undefined ? message : `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

/** Any error in words. */
export const wordsOf = (error: unknown): string =>
  error instanceof Problem ? error.message : t.problems.unexpected;
