import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { darkMode, favicon, styles } from './theme.ts';

const PREFIX = '/docs';

/**
 * The page asks nobody but the host it came from: the library's own policy would allow its validator, fonts
 * and styles from anywhere. Inline styles are the library's; a style reads nothing and sends nothing with
 * images held to this host.
 */
const contentSecurityPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The OpenAPI text for readers, at `/docs`. @param publicBaseUrl may have a path in front of `/docs`. */
export async function registerDocsPage(
  app: FastifyInstance,
  title: string,
  publicBaseUrl: string | null,
): Promise<void> {
  const path = publicBaseUrl === null ? '' : new URL(publicBaseUrl).pathname;
  await app.register(swaggerUi, {
    routePrefix: PREFIX,
    ...(path === '/' || path === '' ? {} : { indexPrefix: path }),
    // The document of /api/v1/openapi.json; null asks no validator.
    validatorUrl: false,
    staticCSP: contentSecurityPolicy,
    uiConfig: {
      deepLinking: true,
      layout: 'BaseLayout',
      displayOperationId: false,
      defaultModelsExpandDepth: 0,
      docExpansion: 'list',
      tryItOutEnabled: false,
      // A token in the browser's storage would outlive the visit.
      persistAuthorization: false,
      syntaxHighlight: { activate: true, theme: 'agate' },
    },
    theme: {
      title: `${title} API`,
      css: [{ filename: 'broadside.css', content: styles }],
      js: [{ filename: 'dark-mode.js', content: darkMode }],
      favicon: [
        { filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: favicon },
      ],
    },
  });
}
