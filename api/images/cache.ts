import type { Image } from '../../engine/notification/images/check-image.ts';

/** Images that browsers ask for now: a delivery to millions makes them all ask for the same one. */
export interface ImageCache {
  /** Null where there is none of that hash. */
  get(hash: Buffer): Promise<Image | null>;
}

export interface ImageCacheOptions {
  readonly maxBytes: number;
  /** An image is looked up again after this: it may have been removed. */
  readonly maxAgeMs: number;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

interface Held {
  readonly image: Image;
  readonly untilMs: number;
}

/** Evicts the least recently used beyond `maxBytes`. Concurrent requests for one cause one lookup. */
export function createImageCache(
  load: (hash: Buffer) => Promise<Image | null>,
  { maxBytes, maxAgeMs, nowMs = () => performance.now() }: ImageCacheOptions,
): ImageCache {
  /** In the order of use. */
  const held = new Map<string, Held>();
  const loading = new Map<string, Promise<Image | null>>();
  let bytes = 0;

  function keep(name: string, image: Image): void {
    held.set(name, { image, untilMs: nowMs() + maxAgeMs });
    bytes += image.bytes.length;
    for (const oldest of held.keys()) {
      if (bytes <= maxBytes) break;
      drop(oldest);
    }
  }

  function drop(name: string): void {
    bytes -= held.get(name)?.image.bytes.length ?? 0;
    held.delete(name);
  }

  async function loadOnce(name: string, hash: Buffer): Promise<Image | null> {
    try {
      const image = await load(hash);
      if (image !== null) keep(name, image);
      return image;
    } finally {
      loading.delete(name);
    }
  }

  return {
    get: async (hash) => {
      const name = hash.toString('hex');
      const known = held.get(name);
      if (known === undefined || known.untilMs <= nowMs()) {
        drop(name);
        const answer = loading.get(name) ?? loadOnce(name, hash);
        loading.set(name, answer);
        return answer;
      }
      held.delete(name);
      held.set(name, known);
      return known.image;
    },
  };
}
