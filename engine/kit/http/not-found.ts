import type { FastifyInstance } from 'fastify';
import { sendNotFound } from './problem.ts';

interface KnownPath {
  readonly pattern: RegExp;
  readonly params: number;
  readonly methods: Set<string>;
}

/** A path that exists under other methods answers 405 and names them; any other answers 404. */
export function registerNotFound(app: FastifyInstance): void {
  // No route takes it, and the framework would ask for a content type before it finds that out.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? {
      pattern: patternOf(url),
      params: url.split(':').length,
      methods: new Set(),
    };
    for (const each of [method].flat()) known.methods.add(each);
    paths.set(url, known);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const shapes = [...paths.values()].filter(({ pattern }) => pattern.test(path));
    // `/segments/preview` also has the shape `/segments/:segment_id`, and is the number of no segment.
    const fewest = Math.min(...shapes.map(({ params }) => params));
    const methods = new Set(
      shapes.filter(({ params }) => params === fewest).flatMap((shape) => [...shape.methods]),
    );
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
