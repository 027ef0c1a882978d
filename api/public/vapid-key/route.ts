import { Type } from 'typebox';
import type { Scope } from '../../client/scope.ts';
import { appOf, publicAnswers, publicHeaders, sendWrongOrigin } from '../answers.ts';

/** The longest delay of a rotated key, beside that of the app's look-up. */
const CACHE_SECONDS = 10;

/** There is no body to refuse. */
const { 413: _413, 422: _422, ...refusals } = publicAnswers;

const publicAppSchema = Type.Object(
  {
    appId: Type.String(),
    vapidPublicKey: Type.String({
      description:
        'The `applicationServerKey` to subscribe with, base64url. A browser whose subscription was made with another one should unsubscribe it, subscribe again and send the new one.',
    }),
    fallbackText: Type.Union([Type.String(), Type.Null()], {
      description:
        'What to show for a message that cannot be read: a push that shows nothing counts against the site.',
    }),
  },
  {
    title: 'PublicApp',
    examples: [
      {
        appId: 'news-k3x9qa',
        vapidPublicKey:
          'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        fallbackText: 'There is news for you.',
      },
    ],
  },
);

/** The data a page needs before it can subscribe. */
export function appRoute(scope: Scope): void {
  scope.get(
    '/app',
    {
      schema: {
        tags: ['Public'],
        summary: 'Read the key that browsers subscribe with',
        operationId: 'publicApp',
        headers: publicHeaders,
        response: { ...refusals, 200: publicAppSchema },
      },
    },
    async (request, reply) => {
      const app = appOf(request, undefined);
      if (app === null) return sendWrongOrigin(reply);
      reply.header('cache-control', `private, max-age=${CACHE_SECONDS}`).header('vary', 'Origin, X-App-Id');
      const { identifier: appId, vapidPublicKey, fallbackText } = app;
      return { appId, vapidPublicKey, fallbackText };
    },
  );
}
