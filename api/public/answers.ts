import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { problemSchema } from '../../engine/kit/http/problem.ts';
import { InvalidRequest } from '../../engine/kit/http/validation.ts';
import { handleError } from '../http/plugins/error-handler.ts';
import type { PublicApp } from './origin.ts';
import { refused, subscribed } from './subscribe/schema.ts';

export const done = { success: true } as const;
const invalid = { success: false, message: 'Invalid request.' } as const;

/** The possible answers of every public route. */
export const publicAnswers = {
  200: subscribed,
  400: problemSchema,
  403: problemSchema,
  413: problemSchema,
  422: refused,
  429: problemSchema,
  503: problemSchema,
} as const;

/** Optional for the validator, so that a request without one is answered like one of a stranger. */
export const publicHeaders = Type.Object(
  {
    'x-app-id': Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'The app’s identifier.',
        examples: ['example-news-k7m2pq'],
      }),
    ),
    origin: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description:
          'The page’s origin, which must be the app’s site_domain. Browsers set it; a page on this API’s own address is known without.',
        examples: ['https://news.example.com'],
        documented: { format: 'uri', pattern: '^https?://' },
      }),
    ),
  },
  { documented: { required: ['x-app-id'] } },
);

/** No detail for strangers: the SDK sends valid bodies. */
export const sendInvalid = (reply: FastifyReply): FastifyReply => reply.code(422).send(invalid);

export const sendWrongOrigin = (reply: FastifyReply): FastifyReply =>
  reply.code(403).send({ message: 'Invalid origin domain' });

export const hideDetail = (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply =>
  error instanceof InvalidRequest ? sendInvalid(reply) : handleError(error, request, reply);

/** The app that the page's origin speaks for; null where the body names another. */
export function appOf(request: FastifyRequest, appId: string | undefined): PublicApp | null {
  const { publicApp } = request;
  if (publicApp === null) throw new Error(`${request.url} runs outside the public scope`);
  return appId === undefined || appId === publicApp.identifier ? publicApp : null;
}
