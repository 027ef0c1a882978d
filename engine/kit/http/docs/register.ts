import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createSendOnce } from '../send-compressed.ts';
import { describeAnswers } from './describe-answers.ts';
import { describeInputs } from './describe-inputs.ts';
import { spellOut } from './documented.ts';
import { giveOwnAddresses } from './list-examples.ts';
import { isObject, type JsonObject, nameSchemas } from './named-schemas.ts';
import { registerDocsPage } from './page.ts';
import type { Guide } from './pages/guides.ts';
import type { SampleVariables } from './samples/request.ts';
import { addSamples } from './samples/samples.ts';

export interface DocsOptions {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly securitySchemes: NonNullable<OpenapiComponents['securitySchemes']>;
  /** Texts beside the reference, in the order in which they are shown. */
  readonly guides: readonly Guide[];
  /** From where samples take the address and the token. */
  readonly sampleVariables: SampleVariables;
  /** How the API is reached from outside; null: as the request named it. */
  readonly publicBaseUrl: string | null;
  /** Further fields of each operation. */
  readonly transform?: NonNullable<FastifyDynamicSwaggerOptions['transform']>;
}

type OpenapiComponents = NonNullable<NonNullable<FastifyDynamicSwaggerOptions['openapi']>['components']>;

/** OpenAPI 3.1 from the routes' own schemas, at `/api/v1/openapi.json`, and pages to read it at `/docs`. */
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
    transformObject: (made) => finish(made, options.sampleVariables),
  });
  const sendDocument = createSendOnce(() => JSON.stringify(app.swagger()), 'application/json; charset=utf-8');
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, sendDocument);
  registerDocsPage(app, options, () => app.swagger() as unknown as JsonObject);
}

/** Examples first, then samples: they are derived from whole schemas, which are references afterwards. */
function finish(made: object, variables: SampleVariables): object {
  const document = (made as { readonly openapiObject: JsonObject }).openapiObject;
  const paths = giveOwnAddresses(
    describeInputs(describeAnswers(spellOut(document.paths ?? {}) as JsonObject)),
  );
  const { components } = document;
  const schemes =
    isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
  return nameSchemas({ ...document, paths: addSamples(paths, schemes, variables) });
}
