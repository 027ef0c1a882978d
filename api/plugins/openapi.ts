import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

const description = `Web push for publishers: apps, deliveries, analytics, and what browsers call.

Bodies and answers are JSON. Times are ISO 8601 in UTC, \`+00:00\`. In the body of a request, a field that is
\`null\` counts as left out. Resources of another organization answer as if they did not exist: 404.`;

/** OpenAPI 3.1 from the routes' own schemas, at \`/api/v1/openapi.json\`. */
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
      tags: [
        { name: 'Apps', description: 'Sites that send notifications.' },
        { name: 'Deliveries', description: 'Sends of one notification.' },
        { name: 'Analytics', description: 'What was sent, and what it brought.' },
        { name: 'Public', description: 'For the browser SDK: no token, the page’s origin decides.' },
      ],
      components: {
        securitySchemes: { token: { type: 'http', scheme: 'bearer', description: '`<token_id>|<secret>`' } },
      },
    },
  });
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
