import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Everything that is not a public unicast address (IANA special-purpose registries, RFC 6890). */
const subnets: readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // Only 2000::/3 is handed out as global unicast; the ranges below it hold translations and mappings.
  ['::', 3, 'ipv6'],
  ['4000::', 2, 'ipv6'],
  ['8000::', 1, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
];

/**
 * Keeps endpoints out of our own network. Both halves are needed: a socket calls its lookup for names only,
 * and a name may resolve to anything. (`blockList` of net.connect would do both, but tls.connect takes the
 * option and ignores it.)
 */
export interface PublicAddresses {
  /** For a host as `URL` gives it, with brackets or without: false for a literal address that is not public. */
  allows(host: string): boolean;
  /** Resolves a name, or fails with `ADDRESS_NOT_PUBLIC` where one of its addresses is not public. */
  readonly lookup: LookupFunction;
}

export function createPublicAddresses(resolve: typeof systemLookup = systemLookup): PublicAddresses {
  // One list each: a BlockList tries IPv4 addresses as ::ffff:… against its IPv6 rules, and ::/3 contains
  // those.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const [address, prefix, family] of subnets) lists[family].addSubnet(address, prefix, family);
  const isPublic = (address: string): boolean => {
    const version = isIP(address);
    // A zone names a link of this machine: nothing public has one.
    if (version === 0 || address.includes('%')) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return !lists[family].check(address, family);
  };

  return {
    allows: (host) => {
      const bare = host.replace(/^\[|\]$/g, '');
      return bare !== '' && (isIP(bare) === 0 || isPublic(bare));
    },
    lookup(host, options, callback) {
      resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, []);
        // All of them: the socket may try each. And at least one, or it would read none as loopback.
        const fit = addresses.length > 0 && addresses.every(({ address }) => isPublic(address));
        if (!fit) return callback(notPublic(host), []);
        if (options.all === true) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      });
    },
  };
}

export const notPublic = (host: string): Error =>
  Object.assign(new Error(`${host} leads to an address that is not public`), { code: 'ADDRESS_NOT_PUBLIC' });
