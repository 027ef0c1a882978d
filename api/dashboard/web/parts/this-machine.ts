/** Only there may any page subscribe: without an address for the world, Broadside lets its own machine in. */
export const isThisMachine = (host = location.hostname): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** Of this Broadside, for an app; `after` is a fragment. */
export const exampleUrl = (app: string, after = ''): string =>
  `/example?app=${encodeURIComponent(app)}${after}`;
