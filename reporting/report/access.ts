import type { ReportScope } from '../../engine/adapters/postgres/report-tokens.ts';

/**
 * The rows that a token may see. Where both lists have entries, both must hold; an empty list beside one that
 * is not adds nothing; both empty: no rows.
 */
export type Access =
  | 'unrestricted'
  | { readonly domains: readonly string[]; readonly wholesalers: readonly string[] };

export const accessOf = ({ unrestricted, domains, wholesalers }: ReportScope): Access =>
  unrestricted ? 'unrestricted' : { domains, wholesalers };
