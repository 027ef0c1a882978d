import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { createPreferenceLinks, SHORT_LINK_DAYS } from '../../shared/preferences/link.ts';
import { appOf, hideDetail, publicAnswers, publicHeaders, sendInvalid } from '../answers.ts';
import { secretHashOf } from '../browser-name.ts';
import { fewerOf, formOf } from './form.ts';
import { pageLanguageOf } from './languages.ts';
import { preferencesAnswer, preferencesBody } from './schema.ts';
import { type Change, changePreferences, findBySecret, type Preferences, readPreferences } from './store.ts';

const description = `What the reader of a browser chose in the preference centre: categories, a cap of their own, a pause, quiet hours; and \
the address of their page. With \`choices\`, \`pause\` or \`unsubscribe\` it is changed first.

The secret alone identifies the browser: a subscription that has none is changed as \`update_subscription\` says, or on the page whose \
address the client API makes.`;

export function preferencesRoute(scope: Scope, deps: Using<'masterKey' | 'database' | 'config'>): void {
  const links = createPreferenceLinks(deps.masterKey);
  scope.post(
    '/preferences',
    {
      schema: {
        tags: ['Public'],
        summary: 'Read and change a reader’s preferences',
        operationId: 'readerPreferences',
        description,
        headers: publicHeaders,
        body: preferencesBody,
        response: { ...publicAnswers, 200: preferencesAnswer },
      },
      errorHandler: hideDetail,
    },
    async (request, reply) => {
      const { body } = request;
      const app = appOf(request, body.appId);
      const hash = secretHashOf(body.browserSecret);
      const id = app === null || hash === null ? null : await findBySecret(deps.database, app.id, hash);
      const changes = changesOf(body);
      if (app === null || id === null || changes === null) return sendInvalid(reply);
      const link = { appId: app.id, subscriptionId: id };
      for (const change of changes) await changePreferences(deps.database, link, change);
      const found = await readPreferences(deps.database, link);
      if (found === null) return sendInvalid(reply);
      const { path } = links.issue(link, Date.now(), SHORT_LINK_DAYS);
      // It holds an address that lets its reader in.
      reply.header('cache-control', 'no-store');
      return answerOf(request, body.language, found, `${baseOf(request, deps.config.publicBaseUrl)}${path}`);
    },
  );
}

/** Null: a value that its pattern lets through, and that is none. */
function changesOf({ choices, pause, unsubscribe }: Static<typeof preferencesBody>): Change[] | null {
  const fewer = fewerOf(choices?.fewer ?? '');
  if (fewer === 'invalid') return null;
  return [
    ...(choices === undefined
      ? []
      : [
          {
            ...({ kind: 'choices', fewer, quietHours: choices.quietHours } as const),
            categoriesOff: choices.categoriesOff ?? null,
          },
        ]),
    ...(pause === undefined ? [] : [{ kind: pause ? 'pause' : 'resume' } as const]),
    ...(unsubscribe === true ? [{ kind: 'leave' } as const] : []),
  ];
}

function answerOf(request: FastifyRequest, stated: string | undefined, found: Preferences, url: string) {
  const accepted = request.headers['accept-language'];
  const language = pageLanguageOf({ named: stated, accepted, subscription: found.language });
  return {
    subscribed: found.subscribed,
    hasLeft: found.has_left,
    revision: found.revision,
    categoryIds: found.category_ids === null ? null : [...found.category_ids],
    url,
    ...formOf(found, language),
  };
}

const baseOf = (request: FastifyRequest, publicBaseUrl: string | null): string =>
  publicBaseUrl ?? `${request.protocol}://${request.host}`;
