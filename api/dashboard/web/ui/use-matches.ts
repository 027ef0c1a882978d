import { useMediaQuery } from '@mantine/hooks';

/** Whether the media query matches, at the first render already: by default the hook asks only after it. */
export const useMatches = (query: string): boolean =>
  useMediaQuery(query, undefined, { getInitialValueInEffect: false });
