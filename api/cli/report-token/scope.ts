import type { ReportScope } from '../../../engine/adapters/postgres/report-tokens.ts';
import { storedDomain } from '../../../engine/contract/domain-names.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { textOf } from '../option-texts.ts';

export interface ScopeOptions {
  readonly domain: readonly string[];
  readonly wholesaler: readonly string[];
  readonly unrestricted: boolean;
}

/** Each is a parameter of every query of the token. */
const MAX_ENTRIES = 1_000;

/** @throws CliError where the options are missing, contradict each other, or name an invalid domain. */
export function scopeOf({ domain, wholesaler, unrestricted }: ScopeOptions): ReportScope {
  const domains = [...new Set(domain.map(domainOf))].toSorted();
  const wholesalers = [...new Set(wholesaler.map((name) => textOf('--wholesaler', name)))].toSorted();
  const count = domains.length + wholesalers.length;
  if (unrestricted && count > 0) {
    throw new CliError(
      '--unrestricted sees every row: leave out --domain and --wholesaler, or --unrestricted',
    );
  }
  if (!unrestricted && count === 0) {
    throw new CliError(
      'the token would see nothing: name its publisher with --domain news.example or --wholesaler NAME (each may be given many times), or say --unrestricted for every row',
    );
  }
  if (domains.length > MAX_ENTRIES || wholesalers.length > MAX_ENTRIES) {
    throw new CliError(`a token has at most ${MAX_ENTRIES} domains and ${MAX_ENTRIES} wholesalers`);
  }
  return { domains, wholesalers, unrestricted };
}

const label = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
const plainDomain = new RegExp(`^(?=.{1,253}$)${label}(\\.${label})*$`);

/** As the statistics hold it: lower case, and names of other scripts as `xn--…`. */
function domainOf(given: string): string {
  const domain = storedDomain(textOf('--domain', given).replace(/\.$/, ''));
  if (plainDomain.test(domain)) return domain;
  throw new CliError(
    `--domain "${given}" is not a domain: write it like news.example, without https:// or a path`,
  );
}
