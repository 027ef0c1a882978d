import type { JsonObject } from './named-schemas.ts';

/** The meaning of each answer wherever it is given, with its possible forms. */
export interface AnswerText {
  readonly description: string;
  /** Of a problem; a success is shown as its schema shows it. */
  readonly message?: string;
  readonly headers?: JsonObject;
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 }, example: 5 },
};

export const answerTexts: Readonly<Record<string, AnswerText>> = {
  200: { description: 'Done.' },
  201: { description: 'Created.' },
  202: { description: 'Accepted, and processed shortly.' },
  204: { description: 'Done; there is no body.' },
  400: {
    description: 'The request is malformed: invalid JSON, or a URL that cannot be decoded.',
    message: 'The request body is not valid JSON.',
  },
  401: {
    description: 'The token is missing or invalid, or it was revoked.',
    message: 'Unauthenticated.',
    headers: {
      'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' }, example: 'Bearer' },
    },
  },
  403: { description: 'Not allowed for the caller.', message: 'Not allowed.' },
  404: {
    description: 'It does not exist, or belongs to another organization: both get the same answer.',
    message: 'Not found.',
  },
  409: { description: 'It is in use.', message: 'It is in use.' },
  413: { description: 'The body is too large.', message: 'The request body is too large.' },
  415: {
    description: 'The body is of another content type.',
    message: 'The request body must be application/json.',
  },
  422: {
    description: 'Something in the request breaks a rule.',
    message: 'The name field is required.',
  },
  429: {
    description: 'Too many requests.',
    message: 'Too many requests. Try again in 5 seconds.',
    headers: retryAfter,
  },
  502: {
    description: 'Another server that the request needs does not answer, or its answer is invalid.',
    message: 'The provider does not answer. Try again later, or log in with your password.',
  },
  503: {
    description: 'A database is unavailable for the moment. Nothing was lost, and nothing was changed.',
    message: 'The service is unavailable for the moment. Try again shortly.',
    headers: retryAfter,
  },
};

export const lacksAbility = (ability: string): AnswerText => ({
  description: `The token does not have the ability \`${ability}\`.`,
  message: `Token does not have the required ability: ${ability}`,
});

export const wrongOrigin: AnswerText = {
  description: 'The page’s origin is not the app’s site_domain, or there is no such app.',
  message: 'Invalid origin domain',
};

/** For routes without authentication: the log-in. */
export const wrongCredentials: AnswerText = {
  description: 'The proof is invalid.',
  message: 'The e-mail address or the password is wrong.',
};
