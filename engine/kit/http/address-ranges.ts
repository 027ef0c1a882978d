import { isIPv6 } from 'node:net';
import { plainAddress, wrongRanges } from './trusted-proxies.ts';

/**
 * Whether people may limit a client to this: an address, or a range of them (CIDR). None that Postgres could not
 * compare, or that no client could ever have: IPv4 inside IPv6 is compared as IPv4.
 */
export const isAddressRange = (text: string): boolean =>
  wrongRanges([text]).length === 0 && !/[%\s]|^::ffff:/i.test(text);

/** A client's address in the form in which ranges are compared; null: it is in none. */
export function comparableAddress(ip: string): string | null {
  const address = plainAddress(ip);
  // The zone of a link-local address names an interface of this machine.
  const bare = isIPv6(address) ? (address.split('%')[0] ?? '') : address;
  return bare === '' ? null : bare;
}
