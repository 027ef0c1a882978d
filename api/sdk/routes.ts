import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendNotFound } from '../../engine/kit/http/problem.ts';
import { isKnown, sendCompressed } from '../../engine/kit/http/send-compressed.ts';
import { examplePage } from './example.ts';
import { createReadSdkFiles, type SdkFile } from './files.ts';

/** A name's file may change with an update of Broadside, and browsers notice within the hour. */
const CHANGES = 'public, max-age=3600, stale-while-revalidate=86400';
/** Under its hash it never does. */
const FOREVER = 'public, max-age=31536000, immutable';

/** No part of the API's description. */
const hidden = { schema: { hide: true } } as const;

/**
 * The SDK, for the pages of publishers. `/sdk/v1/broadside.js` stays, and loads the files of
 * `/sdk/v1/manifest.json` with their hash and integrity.
 */
export function sdkRoutes(app: FastifyInstance): void {
  const readSdkFiles = createReadSdkFiles();
  // Before the first page requests it. Not in `onReady`: tests and the command line have apps without pages.
  app.addHook('onListen', async () => {
    await readSdkFiles().catch((error) => app.log.error(error, 'the SDK cannot be bundled'));
  });

  app.get<{ Params: { name: string } }>('/sdk/v1/:name', hidden, async (request, reply) => {
    reply.header('access-control-allow-origin', '*');
    const { name } = request.params;
    const files = await readSdkFiles();
    if (name === 'manifest.json') return reply.header('cache-control', CHANGES).send(manifestOf(files));
    const file = files.find((one) => one.kind === 'stable' && one.name === name);
    return file === undefined ? sendNotFound(reply) : sendStable(request, reply, file);
  });

  app.get<{ Params: { hash: string; name: string } }>(
    '/sdk/v1/:hash/:name',
    hidden,
    async (request, reply) => {
      // A script with an `integrity` must be readable across origins.
      reply.header('access-control-allow-origin', '*');
      const { hash, name } = request.params;
      const files = await readSdkFiles();
      const file = files.find((one) => one.kind === 'pinned' && one.hash === hash && one.name === name);
      if (file === undefined) return sendNotFound(reply);
      return sendFile(request, reply.header('cache-control', FOREVER), file);
    },
  );
  examplePage(app);
}

function sendStable(request: FastifyRequest, reply: FastifyReply, file: SdkFile): FastifyReply {
  // Weak: the same text may come compressed or not.
  const etag = `W/"${file.hash}"`;
  reply.header('cache-control', CHANGES).header('etag', etag);
  return isKnown(request.headers['if-none-match'], etag)
    ? reply.code(304).send()
    : sendFile(request, reply, file);
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: SdkFile): FastifyReply {
  return sendCompressed(request, reply.type(`${typeOf(file.name)}; charset=utf-8`), file);
}

function typeOf(name: string): string {
  if (name.endsWith('.json')) return 'application/json';
  return name.endsWith('.d.ts') ? 'text/plain' : 'text/javascript';
}

/** Paths seen from the manifest's own address, which may be behind a prefix. */
const manifestOf = (files: readonly SdkFile[]): object =>
  Object.fromEntries(
    files
      .filter(({ kind }) => kind === 'pinned')
      .map(({ name, hash, integrity }) => [name, { path: `${hash}/${name}`, integrity }]),
  );
