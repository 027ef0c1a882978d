import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './shell/global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApi } from './http/api.ts';
import { Problem } from './http/problem.ts';
import { type Services, ServicesProvider } from './http/services.tsx';
import { createDashboardRouter } from './router.tsx';
import { type Me, meKey } from './session/queries.ts';
import { quietColors, theme } from './shell/theme.ts';
import { createWaits, Waiting } from './shell/waiting.tsx';

declare global {
  interface Window {
    /** Read by what blocks scrolling behind a dialog, for its style tag. */
    __webpack_nonce__?: string;
  }
}

const FRESH_MS = 15_000;
const MOST_TRIES = 2;

/** Put into the page by whoever serves it: only style tags with it are obeyed. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.nonce ?? '';
window.__webpack_nonce__ = nonce;
/** The path below which Broadside is, empty for most. */
const base = document.documentElement.dataset.base ?? '';

function start(root: HTMLElement): void {
  const waits = createWaits();
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // The API's own refusals are final, and its waits are kept below.
        retry: (failures, error) => !(error instanceof Problem) && failures < MOST_TRIES,
      },
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
  const services: Services = { api, queries, baseUrl, hasSessionEnded: () => hasEnded };
  const router = createDashboardRouter(services, `${base}/dashboard`);

  /** Only who was logged in is told; the first visit is led to the log-in by its route. */
  function onLoggedOut(): void {
    if (queries.getQueryData(meKey) === undefined) return;
    hasEnded = true;
    queries.clear();
    const { href } = router.latestLocation;
    void router.navigate({ to: '/log-in', search: { back: href, ended: true } });
  }

  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={quietColors}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <ServicesProvider services={services}>
            <Notifications position="top-right" />
            <RouterProvider router={router} />
            <Waiting waits={waits} />
          </ServicesProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

const root = document.querySelector<HTMLElement>('#root');
if (root !== null) start(root);
