import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Bytes in every form that they may be sent in; null: not worth it. Made once, for many requests. */
export interface Compressed {
  readonly plain: Buffer;
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
}

/** Of brotli's 11; above, a text of 300 KB takes a second and shrinks by some percent more. */
const BROTLI_QUALITY = 9;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Beside the event loop. */
export async function compress(plain: Buffer): Promise<Compressed> {
  const [gzip, brotli] = await Promise.all([toGzip(plain), toBrotli(plain, brotliOptions)]);
  return { plain, gzip, brotli };
}

/** In the smallest form that the request takes. Its type and how long it may be kept are set before. */
export function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: Compressed,
): FastifyReply {
  const accepted = String(headers['accept-encoding'] ?? '');
  reply.header('vary', 'accept-encoding');
  if (file.brotli !== null && accepts(accepted, 'br'))
    return reply.header('content-encoding', 'br').send(file.brotli);
  if (file.gzip !== null && accepts(accepted, 'gzip'))
    return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}

/** RFC 9110, 12.5.3: named, and not with a weight of 0. */
function accepts(header: string, coding: string): boolean {
  const named = header
    .split(',')
    .map((each) => each.split(';').map((part) => part.trim().toLowerCase()))
    .find(([name]) => name === coding);
  return named !== undefined && !named.some(isZero);
}

const isZero = (parameter: string): boolean => /^q=0(\.0{1,3})?$/.test(parameter);

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or any. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  const tags = ifNoneMatch.split(',').map(bare);
  return tags.includes('*') || tags.includes(bare(etag));
}

/** Weak: the same text may come compressed or not. */
export const etagOf = (bytes: Buffer): string => `W/"${hash('sha256', bytes, 'base64url')}"`;

/** A text that stays the same for as long as the process runs: made when it is first asked for, and kept. */
export function createSendOnce(make: () => string, type: string) {
  let made: Promise<{ readonly etag: string; readonly file: Compressed }> | null = null;
  const makeOnce = async () => {
    const plain = Buffer.from(make());
    return { etag: etagOf(plain), file: await compress(plain) };
  };
  return async function sendOnce(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    made ??= makeOnce().catch((error) => {
      made = null;
      throw error;
    });
    const { etag, file } = await made;
    // Asked again each time, for an update of Broadside changes it, and sent again where it has changed.
    reply.headers({ etag, 'cache-control': 'public, no-cache', vary: 'accept-encoding' });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return sendCompressed(request, reply.type(type), file);
  };
}
