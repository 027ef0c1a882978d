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

const files = [
  { url: '/invitations', file: 'invitation.html', type: 'text/html; charset=utf-8' },
  { url: '/invitations/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
  { url: '/invitations/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
];

/** The page of an invitation's link: asks for a name and a password. It makes no third-party requests. */
export function invitationPage(app: FastifyInstance): void {
  for (const { url, file, type } of files) {
    const content = readFileSync(new URL(`page/${file}`, import.meta.url));
    app.get(url, { schema: { hide: true } }, (_request, reply) =>
      reply
        .header('content-security-policy', contentSecurityPolicy)
        .header('cache-control', 'no-cache')
        .type(type)
        .send(content),
    );
  }
}
