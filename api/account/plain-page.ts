import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const;

export interface PlainFile {
  readonly url: string;
  readonly file: URL;
  readonly type: keyof typeof types;
}

/** A page for people who are not logged in. It makes no third-party requests. */
export function plainPage(app: FastifyInstance, files: readonly PlainFile[]): void {
  for (const { url, file, type } of files) {
    const content = readFileSync(file);
    app.get(url, { schema: { hide: true } }, (_request, reply) =>
      reply
        .header('content-security-policy', contentSecurityPolicy)
        .header('cache-control', 'no-cache')
        .type(types[type])
        .send(content),
    );
  }
}
