import { findPackageJSON } from 'node:module';

/** False in an installation that left the package out: of optional or development ones, or of another system's. */
export function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
}
