import type { FastifyInstance } from 'fastify';
import { sendNotFound } from '../../engine/adapters/http/problem.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { parseImageName } from './address.ts';
import { createImageCache } from './cache.ts';
import { findImage } from './store.ts';

/** A few dozen images at their limit: those of the deliveries that are being read now. */
const CACHE_BYTES = 64 * 1_024 * 1_024;

/** A name is the hash of what it names: whoever has the image never needs to ask again. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  // Any site's notification shows it.
  'cross-origin-resource-policy': 'cross-origin',
};

/** Images of notifications, for browsers anywhere. */
export function imageRoutes(app: FastifyInstance, database: Database): void {
  const cache = createImageCache((hash) => findImage(database, hash), CACHE_BYTES);

  app.get<{ Params: { file: string } }>(
    '/images/:file',
    { schema: { hide: true } },
    async (request, reply) => {
      const name = parseImageName(request.params.file);
      const image = name === null ? null : await cache.get(name.hash);
      if (image === null || image.contentType !== name?.contentType) return sendNotFound(reply);
      const etag = `"${image.hash.toString('hex')}"`;
      reply.headers({ ...headers, etag });
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(image.contentType).send(image.bytes);
    },
  );
}

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or any. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
