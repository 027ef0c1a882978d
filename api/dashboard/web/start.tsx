import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, timeoutManager } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { type Me, meKey } from './data/account/queries.ts';
import { createApi } from './data/http/api.ts';
import { createOneTimer } from './data/http/one-timer.ts';
import { createPageActs } from './data/http/page-acts.ts';
import { Problem } from './data/http/problem.ts';
import { type Services, ServicesProvider } from './data/http/services.tsx';
import { prefetchFirstPage, prefetchPages } from './frame/prefetch.ts';
import { quietColors, theme } from './frame/theme.ts';
import { createWaits, Waiting } from './frame/waiting.tsx';
import { createDashboardRouter } from './router.tsx';

// No first page has one: those that are shown before it is there wait for it.
const Toasts = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }));

declare global {
  interface Window {
    /** Read by the library that blocks scrolling behind a dialog, for its style tag. */
    __webpack_nonce__?: string;
  }
}

const FRESH_MS = 15_000;
const MOST_TRIES = 2;

/** Put into the page by the server: only style tags with it are applied. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.nonce ?? '';
window.__webpack_nonce__ = nonce;
/** The path below which Broadside is, empty for most. */
const base = document.documentElement.dataset.base ?? '';

/** The whole application, in that element of the page. */
export function start(root: HTMLElement): void {
  const waits = createWaits();
  // Before the first query: each sets its timers with it.
  timeoutManager.setTimeoutProvider(createOneTimer());
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // Offline too: a request then fails and says so; one that is held back would look as if it was on its way.
        networkMode: 'always',
        refetchOnReconnect: true,
        // The API's own refusals are final, and its waits are kept below.
        retry: (failures, error) => !(error instanceof Problem) && failures < MOST_TRIES,
      },
      // Never sent later by itself, when somebody comes back online.
      mutations: { networkMode: 'always' },
    },
  });
  const baseUrl = `${location.origin}${base}`;
  const api = createApi({
    baseUrl,
    csrfToken: () => queries.getQueryData<Me>(meKey)?.csrf_token ?? null,
    onLoggedOut,
    onWait: waits.tell,
  });
  let hasEnded = false;
  const services: Services = {
    api,
    queries,
    baseUrl,
    hasSessionEnded: () => hasEnded,
    acts: createPageActs(),
  };
  const router = createDashboardRouter(services, `${base}/dashboard`);
  prefetchFirstPage(router);
  prefetchPages(router);

  /** Only a user whose session ended sees this; the route leads a first visit to the log-in. */
  function onLoggedOut(): void {
    if (queries.getQueryData(meKey) === undefined) return;
    hasEnded = true;
    queries.clear();
    const { href } = router.latestLocation;
    void router.navigate({ to: '/log-in', search: { back: href, ended: true } });
  }

  const page = (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={quietColors}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <ServicesProvider services={services}>
            <Suspense>
              <Toasts position="top-center" containerWidth="26rem" layout="stacked" />
            </Suspense>
            <RouterProvider router={router} />
            <Waiting waits={waits} />
          </ServicesProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
  // In slices: else the first page is one long task, in which a slow phone answers to nothing.
  startTransition(() => createRoot(root).render(page));
}
