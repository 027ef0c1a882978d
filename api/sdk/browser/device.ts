import type { BroadsideOptions } from './broadside.d.ts';
import { Own } from './own-promise.ts';
import { trusted } from './shared.ts';

const DEFAULT_WORKER = '/broadside-worker.js';

/** Declarative Web Push: subscribes without a service worker, and shows messages by itself. */
const { pushManager } = window as { readonly pushManager?: PushManager };
const hasWorkers = 'serviceWorker' in navigator && 'PushManager' in window;

export const hasPush = 'Notification' in window && (hasWorkers || pushManager !== undefined);

/** Safari on iPadOS claims to be a Mac with a touch screen. */
const isApple =
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1);
const isStandalone = matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches;

/** Apple gives web push to pages that were opened from the home screen only. */
export const needsHomeScreen = isApple && !isStandalone;

/** Where the browser's subscription is. */
export interface Device {
  /** The subscription, if there is one. */
  read(): Promise<PushSubscription | null>;
  /** To subscribe with. @throws Error where there is none now. */
  ready(): Promise<PushManager>;
}

/** The page's: of the site's worker; without one its own, where the browser has that. */
export function deviceOf(options: Pick<BroadsideOptions, 'workerUrl' | 'scope'>): Device {
  // A `<base>` of the page may lead to another origin, where no worker of it can be.
  const onSite = (path: string): string => new URL(path, location.origin).href;
  const workerUrl = onSite(options.workerUrl ?? DEFAULT_WORKER);
  const scope = options.scope && onSite(options.scope);

  const register = async (): Promise<PushManager> => {
    const place = { __proto__: null, ...(scope && { scope }) } as RegistrationOptions;
    const registration = await navigator.serviceWorker.register(trusted(workerUrl), place);
    await running(registration);
    // Where no page lies in its scope, as with some other senders' workers, nothing else asks for a new version.
    if (scope) {
      try {
        await registration.update();
      } catch {
        // The one that is there does.
      }
    }
    return registration.pushManager;
  };

  return {
    async read() {
      const registration = hasWorkers
        ? await navigator.serviceWorker.getRegistration(scope ?? workerUrl)
        : undefined;
      return (await (registration?.pushManager ?? pushManager)?.getSubscription()) ?? null;
    },
    async ready() {
      try {
        return await register();
      } catch (error) {
        if (pushManager === undefined) throw error;
        return pushManager;
      }
    },
  };
}

/** Not `serviceWorker.ready`: that never settles where the page is outside the worker's scope. */
async function running({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting;
  if (active !== null || coming === null) return;
  await new Own<void>((resolve, reject) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve();
      if (coming.state === 'redundant') reject(new Error('Broadside: the worker did not install'));
    });
  });
}
