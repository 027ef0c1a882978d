import { counted } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { printNote } from '../../../engine/kit/command-line/terminal.ts';

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

interface Problem {
  readonly message?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** The body of a success. @throws CliError with the API's reason, and how to resolve it. */
export async function bodyOf<Data>(
  request: Promise<Answered<Data>>,
  optionOf: OptionNames = {},
): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    throw unreachable(cause);
  });
  if (response.ok) return data as Data;
  const [first = '', ...more] = wordsFor(response, (error ?? {}) as Problem, optionOf);
  throw new CliError(first, { more: more.map((line) => `  ${line}`) });
}

/** Below a list that is longer than what is shown. */
export function noteOlder(count: number): void {
  if (count > 0) printNote(`${counted(count, 'older one is', 'older ones are')} not shown.`);
}

/** A field of the API → the option that a person typed for it. */
export type OptionNames = Readonly<Record<string, string>>;

/** A line, and those below it. */
function wordsFor(response: Response, problem: Problem, optionOf: OptionNames): string[] {
  const { errors } = problem;
  if (errors === undefined || [401, 404, 409].includes(response.status))
    return [sentenceFor(response, problem, optionOf)];
  const lines = Object.entries(errors).flatMap(([field, texts]) =>
    texts.map((text) => inOptions(field, text, optionOf)),
  );
  return lines.length === 1 ? lines : ['the API refused the request:', ...lines];
}

function sentenceFor({ status }: Response, { message }: Problem, optionOf: OptionNames): string {
  const said = message ?? `the API answered ${status}`;
  if (status === 401)
    return 'the token is not valid: check BROADSIDE_TOKEN, or create a token with "broadside token create"';
  // A role is the person's: another token of theirs has the same.
  if (status === 403 && /ability/.test(said))
    return `${said} ("broadside token create" makes a token with other abilities)`;
  if (status === 404)
    return 'there is no such app, campaign, delivery, draft, subscription, test browser or webhook for this token';
  // It says what to send, as the API’s clients do.
  if (status === 409)
    return said.replace('confirm_duplicate: true', optionOf.confirm_duplicate ?? 'confirm_duplicate: true');
  return said;
}

/** "The scheduled_at field must …" → "--at must …". */
function inOptions(field: string, text: string, optionOf: OptionNames): string {
  // `action_buttons.0.url` is a part of what --button says.
  const option = optionOf[field] ?? optionOf[field.split('.')[0] ?? ''];
  if (option === undefined) return text;
  return text.replaceAll(`The ${field} field`, option).replaceAll(`the ${field} field`, option);
}

function unreachable(error: unknown): CliError {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? (messageOf(cause) ?? message) : message;
  return new CliError(
    `the API does not answer (${why}): check that it runs, and that --api or BROADSIDE_URL has its address`,
    {
      cause: error,
    },
  );
}

/** An AggregateError (a name with several addresses) has no message of its own. */
const messageOf = (error: Error): string | undefined =>
  error instanceof AggregateError ? error.errors[0]?.message : error.message;
