import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createSendOnce } from '../send-compressed.ts';
import { describeAnswers } from './describe-answers.ts';
import { describeInputs } from './describe-inputs.ts';
import { spellOut } from './documented.ts';
import { type JsonObject, nameSchemas } from './named-schemas.ts';
import { registerDocsPage } from './page.ts';

export interface DocsOptions {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly securitySchemes: NonNullable<OpenapiComponents['securitySchemes']>;
  /** How the API is reached from outside; null: as the request named it. */
  readonly publicBaseUrl: string | null;
  /** What else each operation says. */
  readonly transform?: NonNullable<FastifyDynamicSwaggerOptions['transform']>;
}

type OpenapiComponents = NonNullable<NonNullable<FastifyDynamicSwaggerOptions['openapi']>['components']>;

/** OpenAPI 3.1 from the routes' own schemas, at `/api/v1/openapi.json`, and a page to read it at `/docs`. */
export async function registerDocs(app: FastifyInstance, options: DocsOptions): Promise<void> {
  const { title, description, tags, securitySchemes, publicBaseUrl, transform } = options;
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: '1',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicBaseUrl ?? '/' }],
      tags: [...tags],
      components: { securitySchemes },
    },
    // A base URL such as https://example.com/api would be cut off the front of every path.
    stripBasePath: false,
    ...(transform === undefined ? {} : { transform }),
    transformObject: finish,
  });
  const sendDocument = createSendOnce(() => JSON.stringify(app.swagger()), 'application/json; charset=utf-8');
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, sendDocument);
  await registerDocsPage(app, title, publicBaseUrl);
}

/** Examples first: they are derived from whole schemas, which are references afterwards. */
function finish(made: object): object {
  const document = (made as { readonly openapiObject: JsonObject }).openapiObject;
  const paths = spellOut(document.paths ?? {}) as JsonObject;
  return nameSchemas({ ...document, paths: describeInputs(describeAnswers(paths)) });
}
