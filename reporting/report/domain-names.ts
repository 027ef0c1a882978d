import { shownDomain } from '../../engine/contract/domain-names.ts';
import type { Comparator } from './filters.ts';
import type { Dimension } from './keys.ts';
import { type Parameters, textArray } from './parameters.ts';
import type { ReportRequest } from './request.ts';

/** A name of another script: as it is stored, and as people read it. */
export interface IdnName {
  readonly stored: string;
  readonly shown: string;
}

export const isDomainName = (dimension: Dimension): boolean =>
  dimension === 'domain' || dimension === 'subdomain';

/** Names are shown, or looked into. */
export const needsNames = ({ dimensions, filter_groups = [] }: ReportRequest): boolean =>
  dimensions.some(isDomainName) ||
  filter_groups.some(({ filters }) =>
    filters.some((filter) => filter.type === 'dimension' && isDomainName(filter.value)),
  );

export const idnNamesOf = (stored: readonly string[]): IdnName[] =>
  stored.map((name) => ({ stored: name, shown: shownDomain(name) }));

/** The expression of a stored name as the one that is shown. */
export function shownName(expression: string, names: readonly IdnName[], parameters: Parameters): string {
  const changed = names.filter(({ stored, shown }) => stored !== shown);
  if (changed.length === 0) return expression;
  const from = textArray(
    parameters,
    changed.map(({ stored }) => stored),
  );
  const to = textArray(
    parameters,
    changed.map(({ shown }) => shown),
  );
  return `transform(${expression}, ${from}, ${to}, ${expression})`;
}

type PartComparator = Extract<Comparator, 'contains' | 'not_contains' | 'starts_with' | 'ends_with'>;

const hasPart: Readonly<Record<PartComparator, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  not_contains: (text, part) => text.includes(part),
  starts_with: (text, part) => text.startsWith(part),
  ends_with: (text, part) => text.endsWith(part),
};

/** The names that contain one of the parts, in the displayed form; or in the stored one, where a part is of that. */
export const namesWithPart = (
  names: readonly IdnName[],
  comparator: PartComparator,
  parts: readonly string[],
): string[] =>
  names
    .filter(({ stored, shown }) =>
      parts.some(
        (part) =>
          hasPart[comparator](shown, part) || (part.includes('xn--') && hasPart[comparator](stored, part)),
      ),
    )
    .map(({ stored }) => stored);
