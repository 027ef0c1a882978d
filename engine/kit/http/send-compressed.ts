import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from '../../contract/concurrency/once.ts';

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
  const made = { br: file.brotli, gzip: file.gzip };
  const offered = (['br', 'gzip'] as const).filter((coding) => made[coding] !== null);
  const coding = codingOf(String(headers['accept-encoding'] ?? ''), offered);
  reply.header('vary', 'accept-encoding');
  if (coding === null) return reply.send(file.plain);
  return reply.header('content-encoding', coding).send(made[coding]);
}

/**
 * RFC 9110, 12.5.3: of the offered codings the one with the greatest weight that the header names, the first of several;
 * null: none, or all with a weight of 0.
 */
export function codingOf<Coding extends string>(header: string, offered: readonly Coding[]): Coding | null {
  const weights = new Map(header.split(',').map(weightOf));
  const weight = (coding: string): number => weights.get(coding) ?? 0;
  const best = Math.max(0, ...offered.map(weight));
  return best === 0 ? null : (offered.find((coding) => weight(coding) === best) ?? null);
}

function weightOf(named: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = named.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

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
  const made = once(async () => {
    const plain = Buffer.from(make());
    return { etag: etagOf(plain), file: await compress(plain) };
  });
  return async function sendOnce(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { etag, file } = await made();
    // Asked again each time, for an update of Broadside changes it, and sent again where it has changed.
    reply.headers({ etag, 'cache-control': 'public, no-cache', vary: 'accept-encoding' });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return sendCompressed(request, reply.type(type), file);
  };
}
