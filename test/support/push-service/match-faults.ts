import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import type { DecisiveAction, FaultRule } from './faults.ts';
import type { CompiledOptions, ServiceKind } from './options.ts';

export interface Incoming {
  readonly index: number;
  readonly service: ServiceKind;
  /** How often the index was received in this run, this time included: from 1. */
  readonly attempt: number;
  readonly firstOnConnection: boolean;
}

export interface MatchedFault {
  readonly delayMs: number;
  readonly action: DecisiveAction | null;
  readonly afterAccept: boolean;
}

export interface MatchFaults {
  /** @returns null where nothing is done to the message: the usual case, and a cheap one. */
  match(message: Incoming): MatchedFault | null;
  setRules(rules: readonly FaultRule[]): void;
}

interface LiveRule extends FaultRule {
  readonly number: number;
  /** When the messages within the limit came, in the last minute. */
  readonly taken: number[];
  readonly members: ReadonlySet<number> | null;
  left: number;
}

const MINUTE_MS = 60_000;

/**
 * @param poisoned goes before all rules, and no other rules take its place.
 * @param now for rules that hold beyond a number of messages a minute.
 */
export function createMatchFaults(
  seed: string,
  poisoned: CompiledOptions['poisoned'] = [],
  now: () => number = systemClock.now,
): MatchFaults {
  const salt = [...seed].reduce((sum, letter) => mix(sum ^ letter.charCodeAt(0)), 1);
  let rules: LiveRule[] = [];

  const draw = (rule: LiveRule, { index, attempt }: Incoming, purpose: number) =>
    mix(mix(mix(salt + rule.number) ^ index) + attempt * 2 + purpose) / 2 ** 32;

  function applies(rule: LiveRule, message: Incoming): boolean {
    const { index, service, attempt, firstOnConnection } = message;
    if (rule.left === 0 || index < (rule.from ?? 0) || index >= (rule.to ?? Number.POSITIVE_INFINITY))
      return false;
    if (rule.members !== null && !rule.members.has(index)) return false;
    if (rule.service !== undefined && rule.service !== service) return false;
    if (attempt > (rule.attempts ?? Number.POSITIVE_INFINITY)) return false;
    const { action } = rule;
    if (firstOnConnection && action.kind === 'goaway' && action.manner === 'abrupt') return false;
    if (rule.beyondPerMinute !== undefined && isWithin(rule, rule.beyondPerMinute)) return false;
    return rule.rate === undefined || draw(rule, message, 0) < rule.rate;
  }

  /** One that is within the limit counts; one that is refused does not. */
  function isWithin({ taken }: LiveRule, most: number): boolean {
    const at = now();
    while ((taken[0] ?? at) <= at - MINUTE_MS) taken.shift();
    if (taken.length >= most) return false;
    taken.push(at);
    return true;
  }

  function match(message: Incoming): MatchedFault | null {
    const poison = poisoned.find(({ from, to }) => message.index >= from && message.index < to);
    if (poison !== undefined)
      return { delayMs: 0, action: { kind: 'status', status: poison.status }, afterAccept: false };
    let delayMs = 0;
    for (const rule of rules) {
      if (!applies(rule, message)) continue;
      rule.left--;
      const { action, afterAccept = false } = rule;
      if (action.kind !== 'latency') return { delayMs, action, afterAccept };
      delayMs += action.ms + Math.floor(draw(rule, message, 1) * (action.jitterMs ?? 0));
    }
    return delayMs > 0 ? { delayMs, action: null, afterAccept: false } : null;
  }

  return {
    match,
    setRules(next) {
      rules = next.map((rule, number) => ({
        ...rule,
        number,
        taken: [],
        members: rule.indexes === undefined ? null : new Set(rule.indexes),
        left: rule.times ?? Number.POSITIVE_INFINITY,
      }));
    },
  };
}

/** Spreads 32 bits over 32 bits; not for secrets. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
