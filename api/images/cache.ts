import type { ImageName } from '../../engine/notification/images/address.ts';
import type { Image } from '../../engine/notification/images/check-image.ts';

/** Images that browsers ask for now: a delivery to millions makes them all ask for the same one. */
export interface ImageCache {
  /** Null where there is none of that hash, and of that size. */
  get(name: Pick<ImageName, 'hash' | 'small'>): Promise<Image | null>;
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
  load: (name: Pick<ImageName, 'hash' | 'small'>) => Promise<Image | null>,
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

  async function loadOnce(name: string, asked: Pick<ImageName, 'hash' | 'small'>): Promise<Image | null> {
    try {
      const image = await load(asked);
      if (image !== null) keep(name, image);
      return image;
    } finally {
      loading.delete(name);
    }
  }

  return {
    get: async (asked) => {
      const name = `${asked.hash.toString('hex')}${asked.small ? '-small' : ''}`;
      const known = held.get(name);
      if (known === undefined || known.untilMs <= nowMs()) {
        drop(name);
        const answer = loading.get(name) ?? loadOnce(name, asked);
        loading.set(name, answer);
        return answer;
      }
      held.delete(name);
      held.set(name, known);
      return known.image;
    },
  };
}
