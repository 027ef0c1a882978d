import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { createAttemptLimit } from '../../../engine/kit/http/attempt-limit.ts';

/** In an hour, to one mailbox: of one organization, and of all. */
const MOST_TO_ONE = 3;
const MOST_TO_ONE_OF_ALL = 12;
/** Of one organization to all mailboxes. */
const MOST_EMAILS = 60;
const LETTERS_MS = 3_600_000;

export interface LetterLimits {
  /** Counts an e-mail. @returns seconds to wait, or 0. */
  take(organizationId: OrganizationId, address: string): number;
}

/**
 * Of e-mails to whomever an admin names: no organization makes this installation write to strangers, or often to one; nor
 * does it keep another organization from writing to a person by doing so itself.
 */
export function createLetterLimits(): LetterLimits {
  const options = { withinMs: LETTERS_MS, maxKeys: 10_000 };
  const byBoth = createAttemptLimit({ most: MOST_TO_ONE, ...options });
  const byOrganization = createAttemptLimit({ most: MOST_EMAILS, ...options });
  const byAddress = createAttemptLimit({ most: MOST_TO_ONE_OF_ALL, ...options });
  return {
    take: (organizationId, given) => {
      const address = given.toLowerCase();
      return (
        byBoth.take(`${organizationId} ${address}`) ||
        byOrganization.take(String(organizationId)) ||
        byAddress.take(address)
      );
    },
  };
}
