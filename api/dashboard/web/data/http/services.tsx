import type { QueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Api } from './api.ts';
import type { PageActs } from './page-acts.ts';

/** Dependencies that pages and routes share. */
export interface Services {
  readonly api: Api;
  readonly queries: QueryClient;
  /** Broadside's base URL for browsers, without a slash at its end. */
  readonly baseUrl: string;
  /** Whether a session ended without being asked to, since the page was opened. */
  readonly hasSessionEnded: () => boolean;
  /** What the command menu offers for the page that is open. */
  readonly acts: PageActs;
}

const ServicesContext = createContext<Services | null>(null);

export const ServicesProvider = ({ services, children }: { services: Services; children: ReactNode }) => (
  <ServicesContext value={services}>{children}</ServicesContext>
);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('no services are provided');
  return services;
}

export const useApi = (): Api => useServices().api;
