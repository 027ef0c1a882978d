import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useApi } from '../http/services.tsx';
import { type App, appQuery } from './queries.ts';

/** The app that the address names; for pages below `/apps/$app`. */
export function useApp(): App {
  const { app } = useParams({ from: '/in/apps/$app' });
  return useSuspenseQuery(appQuery(useApi(), app)).data;
}
