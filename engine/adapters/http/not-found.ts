import type { FastifyInstance } from 'fastify';
import { sendNotFound } from './problem.ts';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** A path that exists under other methods answers 405 and names them; any other answers 404. */
export function registerNotFound(app: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) known.methods.add(each);
    paths.set(url, known);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    // `/segments/preview` also has the shape `/segments/:segment_id`: each adds its methods.
    const shapes = [...paths.values()].filter(({ pattern }) => pattern.test(path));
    const methods = new Set(shapes.flatMap((shape) => [...shape.methods]));
    if (methods.size === 0 || methods.has(request.method)) return sendNotFound(reply);
    return reply
      .code(405)
      .header('allow', [...methods].sort().join(', '))
      .send({ message: `This address does not take ${request.method}.` });
  });
}

/** `/apps/:identifier` → every path of that shape. */
function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[A-Za-z_]+/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
