import { t } from '../texts/t.ts';

/** A request that did not succeed, in words for whoever looks at the page. */
export class Problem extends Error {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Field of the body → what is wrong with it. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** What the API answers where it refuses. */
interface Refusal {
  readonly message?: string;
  /** Names a cause that a person has to mend. */
  readonly code?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export function problemOf(status: number, body: unknown): Problem {
  const { message, code, errors = {} } = isRefusal(body) ? body : {};
  const fields = Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field, messages.map(withoutField).join(' ')]),
  );
  // Said by the API for people, where a person can mend it; else what the status means.
  const isForPeople = status === 422 || code !== undefined;
  const words = isForPeople && message !== undefined ? withoutField(message) : t.problems.ofStatus(status);
  return new Problem(status, words, fields);
}

/** The API's message where there is one that says more than the status: a wrong password, a role. */
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
