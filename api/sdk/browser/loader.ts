/**
 * The script that pages include, at a stable URL: it loads the SDK itself from a URL that changes with every
 * version, so that one is cached forever and checked by its hash, and no page need be changed for an update.
 */
import { loadScript } from './load-script.ts';

/** Put in when it is bundled: the address, seen from this script's own, and the hash. */
declare const SDK_PATH: string;
declare const SDK_INTEGRITY: string;

const own = document.currentScript as HTMLScriptElement;

const loaded = loadScript({
  src: new URL(SDK_PATH, own.src).href,
  integrity: SDK_INTEGRITY,
  nonce: own.nonce,
});
// The caller of `init` gets the error.
loaded.catch(() => {});

/** Until then: the SDK replaces this. Calls wait for it, in their order. */
window.Broadside = {
  async init(options) {
    await loaded;
    return window.Broadside.init(options);
  },
  async prompt(kind) {
    await loaded;
    return window.Broadside.prompt(kind);
  },
};
