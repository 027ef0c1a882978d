import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/**
 * Headers by which browsers guard every answer. Left out: a content security policy (each page has its own),
 * the resource policy (any site loads the SDK), and HSTS (whoever terminates TLS answers for the domain).
 */
export function registerSecurityHeaders(app: FastifyInstance): void {
  app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: false,
    strictTransportSecurity: false,
    frameguard: { action: 'deny' },
  });
}
