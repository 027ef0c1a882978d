import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { SESSION_COOKIE } from '../auth/session-cookie.ts';
import { describeAnswers } from '../docs/describe-answers.ts';
import { describeInputs } from '../docs/describe-inputs.ts';
import { describeRoute } from '../docs/describe-route.ts';
import { type JsonObject, nameSchemas } from '../docs/named-schemas.ts';
import { registerDocsPage } from '../docs/page.ts';

const description = `Web push for publishers: apps, subscriptions, deliveries, analytics, and what browsers call.

**Bodies** and answers are JSON, whatever \`Accept\` says. Times are ISO 8601 in UTC, \`+00:00\`. In the body of
a request, a field that is \`null\` counts as left out; a field that is not named here is passed over.

**Tokens** are sent as \`Authorization: Bearer <token_id>|<secret>\`; each operation says which ability it needs.
Resources of another organization answer as if they did not exist: 404.

**Errors** have a \`message\` for people; a 422 also names the \`errors\` of each field. Every answer carries
\`X-Request-Id\`, which the logs know too. 429 and 503 say in \`Retry-After\` how many seconds to wait; a request
that was answered so has changed nothing.`;

export const tags = [
  { name: 'Apps', description: 'Sites that send notifications.' },
  { name: 'Subscriptions', description: 'Browsers that receive them.' },
  { name: 'Segments', description: 'Rules that choose among an app’s subscriptions.' },
  { name: 'Delivery categories', description: 'Kinds of news that readers choose among.' },
  { name: 'Deliveries', description: 'Sends of one notification.' },
  { name: 'Analytics', description: 'What was sent, and what it brought.' },
  { name: 'Account', description: 'Users, sessions and tokens of an organization.' },
  { name: 'Public', description: 'For the browser SDK: no token, the page’s origin decides.' },
] as const;

/** OpenAPI 3.1 from the routes' own schemas, at `/api/v1/openapi.json`, and a page to read it at `/docs`. */
export async function registerOpenapi(app: FastifyInstance, publicBaseUrl: string | null): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Broadside',
        version: '1',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicBaseUrl ?? '/' }],
      tags: [...tags],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: '`<token_id>|<secret>`' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description:
              'Set by the log-in, over https as `__Host-broadside_session`. Requests other than GET also show `X-CSRF-Token`, which `GET /api/v1/account/me` tells.',
          },
        },
      },
    },
    // A base URL such as https://example.com/api would be cut off the front of every path.
    stripBasePath: false,
    transform: describeRoute,
    transformObject: finish,
  });
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await registerDocsPage(app, publicBaseUrl);
}

/** Examples first: they are derived from whole schemas, which are references afterwards. */
function finish(made: object): object {
  const document = (made as { readonly openapiObject: JsonObject }).openapiObject;
  return nameSchemas({ ...document, paths: describeInputs(describeAnswers(document.paths as JsonObject)) });
}
