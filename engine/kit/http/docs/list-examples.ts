import { isObject, type Json, type JsonObject } from './named-schemas.ts';
import { filledPath } from './samples/request.ts';

/**
 * Lists share the schema of their links, and so its example: each operation's example gets the addresses that its own
 * answer would have.
 * @param paths with examples.
 */
export const giveOwnAddresses = (paths: JsonObject): JsonObject =>
  mapObjects(paths, (path, operations) =>
    mapObjects(operations, (_method, operation) => {
      const own = filledPath(path, operation);
      return {
        ...operation,
        responses: mapObjects(operation.responses, (_status, answer) => ({
          ...answer,
          ...(isObject(answer.content)
            ? { content: mapObjects(answer.content, (_type, media) => withExample(media, own)) }
            : {}),
        })),
      };
    }),
  );

function withExample(media: JsonObject, path: string): JsonObject {
  const { example } = media;
  if (!isObject(example) || !isObject(example.links) || !isObject(example.meta)) return media;
  const { links, meta } = example;
  const { path: shared } = meta;
  if (typeof shared !== 'string') return media;
  const own = new URL(path, shared).href;
  const lead = (link: Json): Json =>
    typeof link === 'string' && link.startsWith(shared) ? own + link.slice(shared.length) : link;
  return {
    ...media,
    example: {
      ...example,
      links: Object.fromEntries(Object.entries(links).map(([name, link]) => [name, lead(link)])),
      meta: { ...meta, path: own },
    },
  };
}

const mapObjects = (
  object: Json | undefined,
  change: (key: string, value: JsonObject) => JsonObject,
): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(object) ? object : {}).map(([key, value]) => [
      key,
      isObject(value) ? change(key, value) : value,
    ]),
  );
