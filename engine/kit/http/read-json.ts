import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkCharset, readUtf8 } from './utf8.ts';

/** Keys that must never be in a body: they would reach into the prototype of all objects. */
export class ForbiddenName extends Error {
  readonly statusCode = 400;
  readonly code = 'BODY_FORBIDDEN_NAME';
}

/**
 * Bodies are read as JSON in UTF-8 where a route takes one. Clients send the Content-Type with every request, so a route
 * that takes no body (`DELETE`, a cancellation) ignores any body, even an empty one.
 */
export function registerReadJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!takesBody(request)) return done(null, undefined);
    if (body.length > LARGE_BYTES && isCrowded(body)) return done(new CrowdedBody());
    checkCharset(request.headers['content-type']);
    const text = readUtf8(body);
    if (!mayForbid(body)) {
      const value = parsed(text);
      if (value !== undefined) return done(null, value);
    }
    return parse(request, text, (error, value) =>
      done(error !== null && isJson(text) ? new ForbiddenName() : error, value),
    );
  });
}

/** As forbidden names are written where they have no escape. */
const marks = ['__proto__', 'constructor'].map((mark) => Buffer.from(mark));
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Found nearly as fast as memory is read, where Fastify's parser searches a file's megabytes with patterns. */
const mayForbid = (body: Buffer): boolean =>
  marks.some((mark) => body.includes(mark)) || hasLetterEscape(body);

/** Whether a letter may be written as `\u0061`. */
function hasLetterEscape(body: Buffer): boolean {
  const first = body.indexOf(BACKSLASH);
  if (first < 0) return false;
  for (let at = first; at < body.length; at++)
    if (body[at] === BACKSLASH && body[++at] === LETTER_U) return true;
  return false;
}

/** What a large body may be: a file in one long text. Of many small parts, it would take too long to parse. */
const LARGE_BYTES = 262_144;
const MOST_MARKS = 1_000;

export class CrowdedBody extends Error {
  readonly statusCode = 413;
  readonly code = 'BODY_CROWDED';
}

/** More than some hundred quotes, commas and brackets: each is found as fast as memory is read. */
export function isCrowded(body: Buffer): boolean {
  let found = 0;
  for (const mark of '"{[,')
    for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1))
      if (++found > MOST_MARKS) return true;
  return false;
}

const takesBody = ({ routeOptions }: FastifyRequest): boolean => routeOptions.schema?.body !== undefined;

/** Asked of bodies that were refused alone. */
const isJson = (text: string): boolean => parsed(text) !== undefined;

/** @returns undefined where it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
