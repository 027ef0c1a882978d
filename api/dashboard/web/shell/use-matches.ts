import { useMediaQuery } from '@mantine/hooks';

/** Whether the media query matches, from the first drawing on: by itself the hook asks only after it. */
export const useMatches = (query: string): boolean =>
  useMediaQuery(query, undefined, { getInitialValueInEffect: false });
