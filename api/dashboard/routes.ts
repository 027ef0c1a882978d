import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendNotFound } from '../../engine/kit/http/problem.ts';
import { sendCompressed } from '../../engine/kit/http/send-compressed.ts';
import type { DashboardState } from './dashboard.ts';
import { absentPage, buildingPage } from './plain-pages.ts';

const NONCE_BYTES = 16;
const hidden = { schema: { hide: true } };

/** @param style beside the page's own style sheets. */
const contentSecurityPolicy = (style = ''): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${style}`,
    // The preview of a notification shows the picture that the publisher's own site has.
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * The dashboard: `/dashboard/` and every path below it is the one page, whose script knows the paths; its files
 * have their hash in their names.
 */
export function dashboardRoutes(
  app: FastifyInstance,
  state: () => DashboardState,
  publicBaseUrl: string | null,
): void {
  const base = publicBaseUrl === null ? '' : new URL(publicBaseUrl).pathname.replace(/\/$/, '');
  // The router takes `*` for the root: that is not a path, and nothing is there.
  const toDashboard = ({ url }: FastifyRequest, reply: FastifyReply) =>
    url.startsWith('/') ? reply.redirect(`${base}/dashboard/`) : sendNotFound(reply);
  app.get('/', hidden, toDashboard);
  app.get('/dashboard', hidden, toDashboard);
  app.get<{ Params: { name: string } }>('/dashboard/assets/:name', hidden, (request, reply) => {
    const current = state();
    const asset = current.kind === 'built' ? current.build.assets.get(request.params.name) : undefined;
    if (asset === undefined) return sendNotFound(reply);
    reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable');
    return sendCompressed(request, reply, asset);
  });
  app.get('/dashboard/*', hidden, (_request, reply) => sendPage(reply, state(), base));
}

function sendPage(reply: FastifyReply, state: DashboardState, base: string): FastifyReply {
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
  if (state.kind !== 'built') {
    const absent = state.kind === 'absent';
    reply.code(503).header('content-security-policy', contentSecurityPolicy());
    return reply.send(absent ? absentPage : buildingPage);
  }
  // The component library's style tags carry it; all others are ignored.
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return reply
    .header('content-security-policy', contentSecurityPolicy(` 'nonce-${nonce}'`))
    .send(
      state.build.index
        .replaceAll('"./', `"${base}/dashboard/`)
        .replace('%BASE%', base)
        .replace('%NONCE%', nonce),
    );
}
