/**
 * What a call rejects with. No message contains a token, a cookie or a body that was sent.
 * A call that was aborted rejects with its signal's own reason.
 */
export class BroadsideError extends Error {
  override readonly name: string = 'BroadsideError';
}

/** The API refused the request, or a proxy before it did. */
export class ApiError extends BroadsideError {
  override readonly name: string = 'ApiError';
  readonly operation: string;
  readonly status: number;
  /** As the API's log knows the request; null where the answer names none. */
  readonly requestId: string | null;
  /** By field, a path such as `action_buttons.0.title` where it is nested. Empty except for a 422. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** As the answer asks; null where it does not. */
  readonly retryAfterMs: number | null;

  constructor(message: string, answer: Refusal) {
    super(`${answer.operation}: ${answer.status} ${message}`);
    this.operation = answer.operation;
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.errors = answer.errors;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

export type Refusal = Pick<ApiError, 'operation' | 'status' | 'requestId' | 'errors' | 'retryAfterMs'>;

/** 401: the token is missing, mistyped, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 403: the token lacks the ability that the message names. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}
/** 404: it does not exist, or is another organization's. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 422: `errors` names each wrong field. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError';
}
/** 429, after all retries. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
/** 503, after all retries. */
export class UnavailableError extends ApiError {
  override readonly name = 'UnavailableError';
}

/** No answer came: whether the request was carried out is unknown. `cause` says what failed. */
export class ConnectionLostError extends BroadsideError {
  override readonly name = 'ConnectionLostError';
}
/** The answer was not complete in time: whether the request was carried out is unknown. */
export class RequestTimeoutError extends BroadsideError {
  override readonly name = 'RequestTimeoutError';
}

const byStatus: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  422: ValidationError,
  429: RateLimitError,
  503: UnavailableError,
};

/** @param text the answer's body. A proxy's may be anything, so only the API's own words are quoted. */
export function errorOf(answer: Omit<Refusal, 'errors'>, text: string): ApiError {
  const { message, errors } = problemIn(text);
  return new (byStatus[answer.status] ?? ApiError)(message, { ...answer, errors });
}

function problemIn(text: string): { message: string; errors: Refusal['errors'] } {
  try {
    const { message, errors } = JSON.parse(text) as { message?: unknown; errors?: Refusal['errors'] };
    if (typeof message === 'string') return { message, errors: errors ?? {} };
  } catch {
    // Not the API's answer.
  }
  return { message: 'The answer is not one of Broadside’s: a proxy may have sent it.', errors: {} };
}
