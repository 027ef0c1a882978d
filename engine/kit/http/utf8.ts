import type { FastifyInstance } from 'fastify';

/** Read leniently, such a text would be stored with U+FFFD, and names that differ would become the same. */
export class NotUtf8 extends Error {
  readonly statusCode = 400;
  readonly code: 'NOT_UTF8' | 'OTHER_CHARSET';

  constructor(code: NotUtf8['code'] = 'NOT_UTF8') {
    super('a part of the request is not UTF-8');
    this.code = code;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** @throws NotUtf8. */
export function readUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new NotUtf8();
  }
}

/** A body whose sender means another charset would be right by chance. @throws NotUtf8. */
export function checkCharset(contentType: string | undefined): void {
  const charset = /;[ \t]{0,8}charset="?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new NotUtf8('OTHER_CHARSET');
}

/** `%FF` stands for a byte that no UTF-8 has. A `%` that begins no escape is one, as clients write it. */
export function checkEscapes(text: string): void {
  for (const [escapes] of text.matchAll(/(?:%[0-9A-Fa-f]{2})+/g)) {
    if (!isUtf8(escapes)) throw new NotUtf8();
  }
}

function isUtf8(escapes: string): boolean {
  try {
    decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Addresses of the API's own routes: Node refuses bytes that are not escaped, and the router what is wrong in a path. A page
 * opens whatever a mail program added to its address.
 */
export function registerUtf8(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ url, routeOptions: { schema } }) => {
    if (schema !== undefined && !schema.hide) checkEscapes(url.slice(url.indexOf('?') + 1));
  });
}
