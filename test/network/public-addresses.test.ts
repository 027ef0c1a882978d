// tier: unit
import type { lookup as systemLookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createPublicAddresses } from '../../engine/network/public-addresses.ts';

const inside = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.31.255.255', '192.168.0.1'],
  ...['192.0.2.1', '198.19.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '100::1', '2001:db8::1'],
  // Every spelling of a mapped or translated address; NAT64, its local prefix, Teredo, 6to4; a zone.
  ...['::FFFF:7F00:1', '0:0:0:0:0:ffff:127.0.0.1', '::127.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b:1::7f00:1'],
  ...['2001::7f00:1', '2001:0:4136:e378:8000:63bf:80ff:fffe', 'fe80::1%eth0', '2606:4700::6810:85e5%1'],
  ...['2002:7f00:1::', 'fc00::1', 'fd12::1', 'fe80::1', 'fec0::1', 'ff02::1'],
];
const outside = [
  '8.8.8.8',
  '142.250.74.138',
  '172.32.0.1',
  '2a00:1450:4001:82b::200a',
  '2606:4700::6810:85e5',
];

/** A resolver that knows what it was given and nothing else. */
const resolverOf = (addresses: readonly string[]) =>
  ((_: string, __: object, callback: (error: null, all: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof systemLookup;

describe('public addresses', () => {
  it('are those outside every special range, literal or resolved', () => {
    const { allows } = createPublicAddresses();
    expect(inside.filter(allows)).toEqual([]);
    expect(inside.filter((address) => allows(`[${address}]`))).toEqual([]);
    expect(allows('')).toBe(false);
    expect(outside.filter(allows)).toEqual(outside);
    expect(allows('fcm.googleapis.com')).toBe(true); // A name: its addresses decide.
  });

  it('are refused together where a name has one that is not public', () => {
    const { lookup } = createPublicAddresses(resolverOf(['8.8.8.8', '10.0.0.1']));
    let code: string | undefined;
    lookup('rebinding.example', { all: true }, (error) => {
      code = (error as NodeJS.ErrnoException).code;
    });
    expect(code).toBe('ADDRESS_NOT_PUBLIC');
  });

  it.each([
    ['one that is not public among others', ['8.8.8.8', '10.0.0.1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['none at all', []],
    ['what is not an address', ['localhost']],
    ['one with a zone', ['fe80::1%lo']],
  ])('are refused where a name leads to %s, for any kind of lookup', (_, addresses) => {
    const { lookup } = createPublicAddresses(resolverOf(addresses));
    const codes: unknown[] = [];
    const note = (error: NodeJS.ErrnoException | null) => codes.push(error?.code);
    lookup('rebinding.example', { all: true }, note);
    lookup('rebinding.example', {}, note);
    lookup('rebinding.example', { family: 4 }, note);
    expect(codes).toEqual(Array(3).fill('ADDRESS_NOT_PUBLIC'));
  });

  it('are given in the form the socket expects', () => {
    const { lookup } = createPublicAddresses(resolverOf(outside));
    const answers: unknown[] = [];
    lookup('push.example', { all: true }, (_, addresses) => answers.push(addresses.length));
    lookup('push.example', {}, (_, address, family) => answers.push(address, family));
    expect(answers).toEqual([outside.length, outside[0], 4]);
  });
});
