import { CliError } from '../endings.ts';

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

interface Problem {
  readonly message?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** The body of a success. @throws CliError that says what the API refused, and how to mend it. */
export async function bodyOf<Data>(request: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    throw unreachable(cause);
  });
  if (response.ok) return data as Data;
  throw new CliError(wordsFor(response, (error ?? {}) as Problem));
}

function wordsFor({ status }: Response, { message, errors }: Problem): string {
  const said = message ?? `the API answered ${status}`;
  if (status === 401) return 'the token is not valid: is BROADSIDE_TOKEN right, or was it revoked?';
  // A role is the person's: another token of theirs has the same.
  if (status === 403 && /ability/.test(said))
    return `${said} ("broadside token create" makes a token with other abilities)`;
  if (status === 404) return 'there is no such app, delivery or subscription for this token';
  if (errors === undefined) return said;
  const lines = Object.values(errors).flat();
  return lines.length === 1 ? String(lines[0]) : ['it was refused:', ...lines].join('\n  ');
}

function unreachable(error: unknown): CliError {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? (messageOf(cause) ?? message) : message;
  return new CliError(`the API does not answer (${why}): does it run? --api or BROADSIDE_URL says where`, {
    cause: error,
  });
}

/** An AggregateError (a name with several addresses) has no message of its own. */
const messageOf = (error: Error): string | undefined =>
  error instanceof AggregateError ? error.errors[0]?.message : error.message;
