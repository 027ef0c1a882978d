import { Type } from 'typebox';
import type { Scope } from '../../http/scope.ts';
import { appOf, publicAnswers, publicHeaders, sendWrongOrigin } from '../answers.ts';
import { pageLanguageOf, textsIn } from '../preferences/languages.ts';

/** The longest delay of a rotated key, beside that of the app's lookup. */
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
    hasPreferences: Type.Boolean({
      description:
        'Some reader has chosen something in the preference centre: the SDK then asks for its own reader’s choices.',
    }),
    preferencesButton: Type.Union([Type.String(), Type.Null()], {
      description:
        'The text of the button that leads to the reader’s preferences, in the browser’s language. Null: notifications have none.',
    }),
    appBadge: Type.Boolean({
      description: 'The icon of the site’s installed app counts notifications: a visit clears it.',
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
        hasPreferences: true,
        preferencesButton: 'Settings',
        appBadge: false,
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
      reply
        .header('cache-control', `private, max-age=${CACHE_SECONDS}`)
        .header('vary', 'Origin, X-App-Id, Accept-Language');
      const { identifier: appId, vapidPublicKey, fallbackText, hasWishes: hasPreferences, appBadge } = app;
      const language = pageLanguageOf({ accepted: request.headers['accept-language'] });
      const preferencesButton = app.preferencesButton ? textsIn(language).button : null;
      return { appId, vapidPublicKey, fallbackText, hasPreferences, preferencesButton, appBadge };
    },
  );
}
