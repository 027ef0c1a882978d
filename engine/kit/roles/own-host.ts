import { isIP } from 'node:net';

/**
 * Whether a request's `Host` is a name that no stranger could have pointed here. A page in the operator's
 * browser reaches this listener under a name of its own site, once that resolves to our address (DNS
 * rebinding): it has a dot. Addresses, `localhost` and an orchestrator's short names cannot be such a page's
 * origin. Old probes send no Host.
 * @param names further ones, in lower case.
 */
export function isOwnHost(host: string | undefined, names: readonly string[]): boolean {
  if (host === undefined) return true;
  const hostname = URL.parse(`http://${host}`)?.hostname;
  if (hostname === undefined) return false;
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  return isAddress || !hostname.includes('.') || names.some((name) => name.toLowerCase() === hostname);
}
