import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { isDatabaseAway } from '../engine/adapters/postgres/database-away.ts';
import { isLockConflict } from '../engine/adapters/postgres/lock-conflict.ts';
import { createErrorHandler } from '../engine/kit/http/errors.ts';
import type { FieldErrors } from '../engine/kit/http/problem.ts';
import { ReportFailed } from './answer/report-reader.ts';
import { ResultsAway } from './jobs/store/store.ts';
import type { MissingRate } from './report/money.ts';

const status = Type.Literal('error');
const message = Type.String({ description: 'For people.' });

/** Every error answer, except 422. @param example a possible message. */
export const problem = (example: string) =>
  Type.Object({ status, message }, { title: 'Error', examples: [{ status: 'error', message: example }] });

export const invalid = Type.Object(
  {
    status,
    message: Type.Literal('Validation failed'),
    errors: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'The path of a field, such as `dimensions.0`, to its errors.',
    }),
  },
  {
    title: 'ValidationError',
    examples: [
      {
        status: 'error',
        message: 'Validation failed',
        errors: { currency: ['The currency field must be one of EUR, USD.'] },
      },
    ],
  },
);

export const sendInvalid = (reply: FastifyReply, errors: FieldErrors): FastifyReply =>
  reply.code(422).send({ message: 'Validation failed', errors });

/** An operator reads of it and imports rates; asked more often, nothing is different. */
const RATES_RETRY_SECONDS = 300;
export const withoutRateWords = (currency: string, day: string): string =>
  `There is no exchange rate for ${currency} of ${day} or a day before it: the operator has to import rates (broadside fx import).`;

export const withoutRate = Type.Object(
  {
    status,
    message,
    code: Type.Optional(
      Type.Literal('exchange_rate_missing', {
        description:
          'Present where the operator has to import exchange rates; every other 503 ends by itself.',
      }),
    ),
  },
  {
    title: 'Unavailable',
    examples: [
      { status: 'error', message: 'The service is unavailable for the moment. Try again shortly.' },
      { status: 'error', message: withoutRateWords('USD', '2026-01-31'), code: 'exchange_rate_missing' },
    ],
  },
);

export const sendWithoutRate = (reply: FastifyReply, { currency, day }: MissingRate): FastifyReply =>
  reply
    .code(503)
    .header('retry-after', String(RATES_RETRY_SECONDS))
    .send({ message: withoutRateWords(currency, day), code: 'exchange_rate_missing' });

/** The body of every error answer: the specification has it with 422. */
export const refusalFields = { status: 'error' } as const;

export const handleError = createErrorHandler({
  isAway: (error) =>
    isDatabaseAway(error) ||
    isLockConflict(error) ||
    error instanceof ReportFailed ||
    error instanceof ResultsAway,
  sendInvalid,
  fields: refusalFields,
});

/** Puts the status in where no error was thrown: 401, 404, 405, 429, 503. An own one stays. */
export function registerErrorStatus(app: FastifyInstance): void {
  app.addHook('preSerialization', async (_request, reply, payload) => {
    if (reply.statusCode < 400 || typeof payload !== 'object' || payload === null) return payload;
    return { ...refusalFields, ...payload };
  });
}
