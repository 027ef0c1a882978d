import { useQuery } from '@tanstack/react-query';
import { useApi } from '../data/http/services.tsx';
import { type Breaking, breakingQuery } from '../data/organization/queries.ts';
import { formatUtcDay } from '../format/format.ts';
import { parseLocal } from '../format/local-time.ts';
import type { ComposeValues } from '../notification/values.ts';
import { t } from '../texts/t.ts';

const words = t.compose;

export interface BreakingChoice {
  /** Undefined while it is not known: the API decides then. */
  readonly rules: Breaking | undefined;
  readonly isOpen: boolean;
  /** How many are left, or why there is none; empty where nothing limits it. */
  readonly hint: string;
}

/** Whether the delivery may be a breaking one, on the day that it is sent. */
export function useBreaking({
  mode,
  scheduled_at,
}: Pick<ComposeValues, 'mode' | 'scheduled_at'>): BreakingChoice {
  const at = mode === 'later' ? parseLocal(scheduled_at) : null;
  const day = at?.toISOString().slice(0, 10);
  const { data: rules } = useQuery(breakingQuery(useApi(), { day }));
  if (rules === undefined) return { rules, isOpen: true, hint: '' };
  const isOpen = rules.may_send && rules.left !== 0;
  return { rules, isOpen, hint: hintOf(rules, at) };
}

function hintOf({ may_send, left, limit, operator_per_day }: Breaking, at: Date | null): string {
  if (!may_send) return words.breakingForAdmins;
  if (left === null || limit === null) return '';
  const day = at === null ? words.breakingToday : formatUtcDay(at);
  if (left > 0) return words.breakingLeft(left, limit, day);
  return limit === operator_per_day
    ? words.breakingUsedUpByOperator(limit, day)
    : words.breakingUsedUp(limit, day);
}
