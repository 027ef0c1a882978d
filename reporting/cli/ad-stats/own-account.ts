import { hostname, userInfo } from 'node:os';

/** Who runs this command, for the ledger: the account and the machine. */
export function ownAccount(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // A container may run as a number without a name.
    return hostname();
  }
}
