/**
 * The script that pages include, at a stable URL: it loads the SDK itself from a URL that changes with every
 * version, so that one is cached forever and checked by its hash, and no page need be changed for an update.
 */

/** Put in when it is bundled: the address, seen from this script's own, and the hash. */
declare const SDK_PATH: string;
declare const SDK_INTEGRITY: string;

const own = document.currentScript as HTMLScriptElement;

const loaded = new Promise<void>((resolve, reject) => {
  const script = document.createElement('script');
  script.src = new URL(SDK_PATH, own.src).href;
  script.integrity = SDK_INTEGRITY;
  script.crossOrigin = 'anonymous';
  // Where the page's policy knows scripts by a nonce, this one has the right to pass it on.
  script.nonce = own.nonce;
  script.onload = () => resolve();
  script.onerror = () => reject(new Error(`Broadside: ${script.src} did not load`));
  document.head.append(script);
});
// The caller of `init` gets the error.
loaded.catch(() => {});

/** Until then: the SDK replaces this. */
window.Broadside = { init: (options) => loaded.then(() => window.Broadside.init(options)) };
