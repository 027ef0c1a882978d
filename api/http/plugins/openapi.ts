import type { FastifyInstance } from 'fastify';
import { registerDocs } from '../../../engine/kit/http/docs/register.ts';
import { SESSION_COOKIE } from '../../auth/session-cookie.ts';
import { guides } from '../../docs/guides.ts';
import { describeRoute } from './describe-route.ts';

const description = `Web push for publishers: apps, subscriptions, deliveries, analytics, and the browsers’ routes.

**Bodies** and answers are JSON in UTF-8, whatever \`Accept\` says; other bytes are 400. Times are ISO 8601 in UTC,
\`+00:00\`, whose \`+\` may stand in an address as it is. In the body of a request, a field that is \`null\` counts as left out.

**Names.** A field of a body or a parameter of an address that is not named here is 422, with the name that was probably
meant: \`schedule_at\` would send now. What the service itself writes (\`id\`, \`created_at\`, counts) may be sent back in the
body of an app, segment, category, draft, prompt or welcome as it was read. The public routes ignore fields that they do
not know, because pages keep a client of another version for years; a name that is a slip of one of theirs is 422.

**Tokens** are sent as \`Authorization: Bearer <token_id>|<secret>\`; each operation says which ability it needs.
Which of its abilities count on an app depends on its user's role there (the guide “Before and after a send” lists
them); 403 names the ability and the role that it takes. Resources of another organization, and of apps that the user has
no role on, answer as if they did not exist: 404.

**Errors** have a \`message\` for people; a 422 also names the \`errors\` of each field. Every answer carries
\`X-Request-Id\`, which the logs know too. 429 and 503 say in \`Retry-After\` how many seconds to wait; a request
that was answered so has changed nothing.`;

export const tags = [
  { name: 'Apps', description: 'Sites that send notifications.' },
  { name: 'Subscriptions', description: 'Browsers that receive them.' },
  { name: 'Segments', description: 'Rules that choose among an app’s subscriptions.' },
  { name: 'Delivery categories', description: 'Kinds of news that readers choose among.' },
  { name: 'Deliveries', description: 'Sends of one notification.' },
  {
    name: 'Campaigns',
    description: 'Sets of deliveries: tests of variants, sends by local time, schedules.',
  },
  { name: 'Drafts', description: 'What a team writes before anything is sent, and templates.' },
  { name: 'People', description: 'What is stored about a reader, and its end.' },
  { name: 'Tests', description: 'Browsers that a team tries notifications on, and sends to them alone.' },
  { name: 'Webhooks', description: 'Endpoints that receive states, and what was sent to them.' },
  { name: 'Standing', description: 'How push services and browsers treat an app.' },
  { name: 'Analytics', description: 'Sent notifications, and their results.' },
  { name: 'Account', description: 'Users, sessions and tokens of an organization.' },
  { name: 'Public', description: 'For the browser SDK: no token, the page’s origin decides.' },
] as const;

/** The API's OpenAPI text and the page to read it. */
export const registerOpenapi = (app: FastifyInstance, publicBaseUrl: string | null): Promise<void> =>
  registerDocs(app, {
    title: 'Broadside',
    description,
    tags,
    guides,
    sampleVariables: { base: 'BROADSIDE_URL', token: 'BROADSIDE_TOKEN' },
    publicBaseUrl,
    transform: describeRoute,
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: '`<token_id>|<secret>`' },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: SESSION_COOKIE,
        description:
          'Set by the log-in, over https as `__Host-broadside_session`. Requests other than GET also show `X-CSRF-Token`, which `GET /api/v1/account/me` returns.',
      },
    },
  });
