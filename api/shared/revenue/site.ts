import { domainToUnicode } from 'node:url';

/** A publisher's site as ad servers may name it. */
export interface Site {
  /** Its host in lower case, without port and without one leading `www.`. */
  readonly name: string;
  /** How the same site may be written: with `www.`, and as Unicode. */
  readonly names: readonly string[];
  /** The domains it lies below, the nearest first; none of a single label. */
  readonly parents: readonly string[];
}

/** @param domain an app's `site_domain`: an origin. */
export function siteOf(domain: string): Site {
  const name = hostName(URL.parse(domain)?.hostname ?? '');
  const written = [name, domainToUnicode(name)].filter((each) => each !== '');
  return {
    name,
    names: [...new Set(written.flatMap((each) => [each, `www.${each}`]))],
    parents: parentsOf(name),
  };
}

/** A granted domain, as `siteOf` writes one. Null where it is none. */
export function parseDomain(text: string): string | null {
  const host = URL.parse(`https://${text.trim()}`);
  if (host === null || host.host !== host.hostname || `${host.pathname}${host.search}${host.hash}` !== '/')
    return null;
  const name = hostName(host.hostname);
  return host.username === '' && /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(name) ? name : null;
}

const hostName = (host: string): string => {
  const name = host.toLowerCase().replace(/\.$/, '');
  return /^www\..+\..+/.test(name) ? name.slice('www.'.length) : name;
};

function parentsOf(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1, -1).map((_, n) => labels.slice(n + 1).join('.'));
}
