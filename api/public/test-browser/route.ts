import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { createTestLinks } from '../../shared/test-browsers/link.ts';
import { appOf, done, hideDetail, publicAnswers, publicHeaders, sendInvalid } from '../answers.ts';
import { browserNameOf } from '../browser-name.ts';
import { testBrowserBody } from './schema.ts';
import { registerByLink } from './store.ts';

export function testBrowserRoute(
  scope: Scope,
  deps: Using<'masterKey' | 'oldMasterKeys' | 'database'>,
): void {
  const links = createTestLinks(deps.masterKey, deps.oldMasterKeys);
  scope.post(
    '/test-browser',
    {
      schema: {
        tags: ['Public'],
        summary: 'Register this browser for tests',
        operationId: 'registerByLink',
        description:
          'With the token of a link that a member of the app’s team made. Repeated, it changes nothing. One that is too old, of another app, or used by another browser is refused, and so is a browser that is not subscribed.',
        headers: publicHeaders,
        body: testBrowserBody,
        response: publicAnswers,
      },
      errorHandler: hideDetail,
    },
    async (request, reply) => {
      const { appId, token } = request.body;
      const app = appOf(request, appId);
      const browser = browserNameOf(request.body);
      const link = links.read(token, Date.now());
      // By a `userId` alone, which others know, nobody registers another person’s browser.
      if (app === null || browser?.kind !== 'secret' || link === null || link.appId !== app.id)
        return sendInvalid(reply);
      const isIn = await registerByLink(deps.database, browser, link, request.id);
      return isIn ? reply.code(200).send(done) : sendInvalid(reply);
    },
  );
}
