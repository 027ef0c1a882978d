import type { Image } from './check-image.ts';

/** Images that browsers ask for now: a delivery to millions makes them all ask for the same one. */
export interface ImageCache {
  /** Null where there is none of that hash. */
  get(hash: Buffer): Promise<Image | null>;
}

/** The least recently used leave when `maxBytes` are held. Many who ask for one at once cause one look-up. */
export function createImageCache(
  load: (hash: Buffer) => Promise<Image | null>,
  maxBytes: number,
): ImageCache {
  /** In the order of use. */
  const held = new Map<string, Image>();
  const loading = new Map<string, Promise<Image | null>>();
  let bytes = 0;

  function keep(name: string, image: Image): void {
    held.set(name, image);
    bytes += image.bytes.length;
    for (const [oldest, { bytes: gone }] of held) {
      if (bytes <= maxBytes) break;
      held.delete(oldest);
      bytes -= gone.length;
    }
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
      const image = held.get(name);
      if (image === undefined) {
        const answer = loading.get(name) ?? loadOnce(name, hash);
        loading.set(name, answer);
        return answer;
      }
      held.delete(name);
      held.set(name, image);
      return image;
    },
  };
}
