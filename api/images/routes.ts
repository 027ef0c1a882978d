import type { FastifyInstance } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { sendNotFound } from '../../engine/kit/http/problem.ts';
import { isKnown } from '../../engine/kit/http/send-compressed.ts';
import { parseImageName } from '../../engine/notification/images/address.ts';
import { createImageCache } from './cache.ts';
import { findImage } from './store.ts';

/** A few dozen images at their limit: those of the deliveries being read now. */
const CACHE_BYTES = 64 * 1_024 * 1_024;
const MAX_AGE_MS = 600_000;

/**
 * A name is the hash of its content, so a cached one is never wrong. Only an app's removal deletes its images:
 * outside caches drop them within a day of it, this process within `MAX_AGE_MS`.
 */
const headers = {
  'cache-control': 'public, max-age=86400, immutable',
  'x-content-type-options': 'nosniff',
  // Any site's notification shows it.
  'cross-origin-resource-policy': 'cross-origin',
};

/** Images of notifications, for browsers anywhere. */
export function imageRoutes(app: FastifyInstance, database: Database): void {
  const cache = createImageCache((name) => findImage(database, name), {
    maxBytes: CACHE_BYTES,
    maxAgeMs: MAX_AGE_MS,
  });

  app.get<{ Params: { file: string } }>(
    '/images/:file',
    { schema: { hide: true } },
    async (request, reply) => {
      const name = parseImageName(request.params.file);
      const image = name === null ? null : await cache.get(name);
      if (image === null || image.contentType !== name?.contentType) return sendNotFound(reply);
      const etag = `"${request.params.file.split('.')[0]}"`;
      reply.headers({ ...headers, etag });
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(image.contentType).send(image.bytes);
    },
  );
}
