import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/**
 * Security headers of every answer. Left out: a content security policy (each page has its own), the resource
 * policy (any site loads the SDK), and HSTS (the proxy that terminates TLS decides for the domain).
 */
export function registerSecurityHeaders(app: FastifyInstance): void {
  app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: false,
    strictTransportSecurity: false,
    frameguard: { action: 'deny' },
  });
}
