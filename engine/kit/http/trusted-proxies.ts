import { BlockList, isIP } from 'node:net';

/** Whether the address (of a socket, or the next one of `X-Forwarded-For`) is a proxy of ours. */
export type IsTrusted = (address: string) => boolean;

/** `10.0.0.0/8`, `2001:db8::1`: an address, or a range of them. Null where it is neither. */
function parseRange(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return null;
  const most = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  if (prefix < 0 || prefix > most) return null;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** The entries that are neither an address nor a range. */
export const wrongRanges = (ranges: readonly string[]): string[] =>
  ranges.filter((range) => parseRange(range) === null);

/** @throws Error where a range is none: the settings refuse it before. */
export function createIsTrusted(ranges: readonly string[]): IsTrusted {
  // One list each: a BlockList tries IPv4 addresses as ::ffff:… against its IPv6 rules.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const parsed = parseRange(range);
    if (parsed === null) throw new Error(`not an address range: ${range}`);
    lists[parsed.family].addSubnet(parsed.address, parsed.prefix, parsed.family);
  }
  return (given) => {
    const address = plainAddress(given);
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return lists[family].check(address, family);
  };
}

/**
 * An address as it is compared and looked up: IPv4 that a socket for both families gives as `::ffff:1.2.3.4`,
 * and the port that some proxies write into `X-Forwarded-For`, are taken off. Empty where it is not an address.
 */
export function plainAddress(given: string): string {
  const text = given.trim().replace(/^::ffff:(?=\d+\.)/i, '');
  const bare =
    /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? '' : bare;
}
