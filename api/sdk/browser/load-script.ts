import { Own } from './own-promise.ts';
import { trusted } from './shared.ts';

interface Wanted {
  readonly src: string;
  readonly integrity: string;
  /** Where the page's policy knows scripts by a nonce, one of them has the right to pass it on. */
  readonly nonce: string;
}

/** Checked by its hash. @throws Error where it does not load. */
export const loadScript = ({ src, integrity, nonce }: Wanted): Promise<void> =>
  new Own((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trusted(src);
    script.integrity = integrity;
    script.crossOrigin = 'anonymous';
    script.nonce = nonce;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`Broadside: ${src} did not load`));
    document.head.append(script);
  });
