import { findPackageJSON } from 'node:module';

/** False in an installation that left out optional packages, as the roles of a cluster do: it has 540 MB. */
export function isChdbInstalled(): boolean {
  try {
    return findPackageJSON('chdb', import.meta.url) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The embedded engine. Loaded when it is needed and never before: a process that uses a server never holds it.
 * @throws Error in one line where it is not installed.
 */
export async function loadChdb(): Promise<typeof import('chdb')> {
  if (isChdbInstalled()) return import('chdb');
  throw new Error(
    'The package "chdb" is not installed, and what you asked for needs it: run "npm ci" without --omit=optional.',
  );
}
