import { type PageSearch, pageSearch } from '../../format/page-search.ts';

/** For super-admins: another organization than their own. */
interface OrganizationSearch extends PageSearch {
  readonly organization?: number;
}

export const teamSearch = (search: Record<string, unknown>): OrganizationSearch => ({
  ...pageSearch(search),
  ...(Number.isInteger(search.organization) ? { organization: Number(search.organization) } : {}),
});

export interface AuditSearch extends OrganizationSearch {
  readonly action?: string;
  /** Days, `YYYY-MM-DD`. */
  readonly since?: string;
  readonly until?: string;
}

const textIn = (search: Record<string, unknown>, name: 'action' | 'since' | 'until') =>
  typeof search[name] === 'string' && search[name] !== '' ? { [name]: search[name] } : {};

export const auditSearch = (search: Record<string, unknown>): AuditSearch => ({
  ...teamSearch(search),
  ...textIn(search, 'action'),
  ...textIn(search, 'since'),
  ...textIn(search, 'until'),
});
