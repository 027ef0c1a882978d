import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codingOf } from '../../engine/kit/http/send-compressed.ts';

/** Fast ones: a report of 50 MB must not wait for its compression. */
const compressors: Readonly<Record<'zstd' | 'br' | 'gzip', () => Transform>> = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 4 }),
};
const codings = ['zstd', 'br', 'gzip'] as const;

/** Below this a header costs more than it saves. */
const LEAST_BYTES = 1_024;

/** Whether a type is text: Parquet and spreadsheets are compressed inside. */
const isText = (contentType: string): boolean => /^(text\/|application\/(json|x-ndjson)\b)/.test(contentType);

/**
 * Sends the bytes in a coding that the client takes. The size of a compressed answer tells something of its content
 * (BREACH): there is no secret in a report, and a request's own words are in no report.
 * @param size of the bytes, about. An error in the middle destroys the connection.
 */
export function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Readable,
  contentType: string,
  size: number,
): FastifyReply {
  reply.header('content-type', contentType).header('cache-control', 'no-store');
  if (!isText(contentType)) return reply.send(bytes);
  reply.header('vary', 'accept-encoding');
  const coding =
    size < LEAST_BYTES ? null : codingOf(String(request.headers['accept-encoding'] ?? ''), codings);
  if (coding === null) return reply.send(bytes);
  // The answer's own end reports an error; without a listener here it would end the process.
  const compressed = pipeline(bytes, compressors[coding](), () => {});
  return reply.header('content-encoding', coding).send(compressed);
}
