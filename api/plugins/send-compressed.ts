import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file in every form that it may be sent in; null: not worth it. Made once, for many requests. */
export interface Compressed {
  readonly plain: Buffer;
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
}

/** In the smallest form that the request takes. Its type and how long it may be kept are set before. */
export function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: Compressed,
): FastifyReply {
  const accepted = String(headers['accept-encoding'] ?? '');
  reply.header('vary', 'accept-encoding');
  if (file.brotli !== null && /\bbr\b/.test(accepted))
    return reply.header('content-encoding', 'br').send(file.brotli);
  if (file.gzip !== null && /\bgzip\b/.test(accepted))
    return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}
