import type { BroadsideOptions } from './broadside.d.ts';

const DEFAULT_WORKER = '/broadside-worker.js';

/** Declarative Web Push: subscribes without a service worker, and shows messages by itself. */
const { pushManager } = window as { readonly pushManager?: PushManager };
const hasWorkers = 'serviceWorker' in navigator && 'PushManager' in window;

export const hasPush = 'Notification' in window && (hasWorkers || pushManager !== undefined);

/** iPadOS claims to be a Mac with a touch screen. */
const isApple =
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1);
const isStandalone = matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches;

/** Apple gives web push to pages that were opened from the home screen only. */
export const needsHomeScreen = isApple && !isStandalone;

type Place = Pick<BroadsideOptions, 'workerUrl' | 'scope'>;

/** The browser's subscription, if there is one. */
export async function readSubscription({ workerUrl = DEFAULT_WORKER, scope }: Place) {
  const registration = hasWorkers
    ? await navigator.serviceWorker.getRegistration(scope ?? workerUrl)
    : undefined;
  return (await (registration?.pushManager ?? pushManager)?.getSubscription()) ?? null;
}

/**
 * The push manager to subscribe with: of the site's worker, registered and running; without one, the page's own
 * where the browser has it. @throws Error where the worker is not available.
 */
export async function readyPushManager({ workerUrl = DEFAULT_WORKER, scope }: Place): Promise<PushManager> {
  try {
    const registration = await navigator.serviceWorker.register(
      workerUrl,
      scope === undefined ? {} : { scope },
    );
    await running(registration);
    // Where no page lies in its scope, as with some other senders' workers, nothing else asks for a new version.
    if (scope !== undefined) await registration.update().catch(() => {});
    return registration.pushManager;
  } catch (error) {
    if (pushManager === undefined) throw error;
    return pushManager;
  }
}

/** Not `serviceWorker.ready`: that never settles where the page is outside the worker's scope. */
function running({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting;
  if (active !== null || coming === null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve();
      if (coming.state === 'redundant') reject(new Error('Broadside: the service worker did not install'));
    });
  });
}
