import { type ChromeGuard, guardRules } from '../../engine/contract/chrome-guard.ts';
import type { CapRule, FrequencyCap, UnengagedChrome } from '../../engine/contract/shard.ts';

/** A reader's own: minutes of the model. */
export interface Wish {
  readonly fewer: FrequencyCap | null;
  readonly pausedUntil: number | null;
  readonly isNight: boolean;
}

/** The frequency cap as one would keep it on paper: a line for each slot. */
export interface Slot {
  readonly part: string;
  readonly seq: number;
  /** Minutes; null while the slot is held. */
  acceptedAt: number | null;
}

export interface Counts {
  readonly capped: number;
  readonly guarded: number;
  readonly wished: number;
  accepted: number;
  failed: number;
}

export interface CapModel {
  nowMinutes: number;
  cap: FrequencyCap | null;
  guard: ChromeGuard | null;
  /** By `seq`; the others have another browser. */
  readonly chrome: ReadonlyMap<number, UnengagedChrome['chrome']>;
  /** By `seq`, in minutes. Left out: long ago. */
  readonly visitedAt: Map<number, number>;
  /** By `seq`. */
  readonly wishes: Map<number, Wish>;
  slots: Slot[];
  readonly counts: Map<string, Counts>;
}

export const newCapModel = (chrome: CapModel['chrome'] = new Map()): CapModel => ({
  ...{ nowMinutes: 0, cap: null, guard: null, slots: [] },
  ...{ chrome, visitedAt: new Map(), wishes: new Map(), counts: new Map() },
});

/** Those of a delivery that heeds them all, or ignores the frequency cap. */
export const rulesNow = ({ cap, guard }: CapModel, ignores: boolean): CapRule[] => [
  ...(cap === null || ignores ? [] : [{ ...cap, concerns: null }]),
  ...(guard === null ? [] : guardRules(guard)),
];

export function isConcerned(model: CapModel, seq: number, { concerns }: CapRule): boolean {
  if (concerns === null) return true;
  const visited = model.visitedAt.get(seq) ?? Number.NEGATIVE_INFINITY;
  const isEngaged = model.nowMinutes - visited <= concerns.forDays * 24 * 60;
  return model.chrome.get(seq) === concerns.chrome && !isEngaged;
}

const taken = (model: CapModel, seq: number, cap: FrequencyCap): number =>
  model.slots.filter(
    (slot) =>
      slot.seq === seq &&
      (slot.acceptedAt === null || model.nowMinutes - slot.acceptedAt < cap.windowMinutes),
  ).length;

function wishHolds(model: CapModel, seq: number): boolean {
  const wish = model.wishes.get(seq);
  if (wish === undefined) return false;
  const isPaused = wish.pausedUntil !== null && wish.pausedUntil > model.nowMinutes;
  const isFull = wish.fewer !== null && taken(model, seq, wish.fewer) >= wish.fewer.maxNotifications;
  return isPaused || wish.isNight || isFull;
}

/** Gives each subscriber of one part of a delivery a slot, or holds them back. */
export function reserve(
  model: CapModel,
  part: string,
  seqs: readonly number[],
  rules: readonly CapRule[],
): void {
  const held = seqs.map((seq) => {
    const isFull = (rule: CapRule) => taken(model, seq, rule) >= rule.maxNotifications;
    const by = rules.find((rule) => isFull(rule) && isConcerned(model, seq, rule));
    return { seq, by, wished: by === undefined && wishHolds(model, seq) };
  });
  const capped = held.filter(({ by, wished }) => wished || by !== undefined).map(({ seq }) => seq);
  const wished = held.filter((each) => each.wished).length;
  const guarded = held.filter(({ by }) => by !== undefined && by.concerns !== null).length;
  for (const seq of seqs) if (!capped.includes(seq)) model.slots.push({ part, seq, acceptedAt: null });
  model.counts.set(part, { capped: capped.length, guarded, wished, accepted: 0, failed: 0 });
}

export const isReserved = (model: CapModel, part: string): boolean => model.counts.has(part);

export const heldSeqs = (model: CapModel, part: string): number[] =>
  model.slots.filter((slot) => slot.part === part && slot.acceptedAt === null).map(({ seq }) => seq);

export function accept(model: CapModel, part: string, seq: number): void {
  const slot = model.slots.find((one) => one.part === part && one.seq === seq && one.acceptedAt === null);
  if (slot === undefined) throw new Error(`${part} has no slot for ${seq}`);
  slot.acceptedAt = model.nowMinutes;
  countsOf(model, part).accepted++;
}

/** Gives the slot back. */
export function fail(model: CapModel, part: string, seq: number): void {
  release(model, part, seq);
  countsOf(model, part).failed++;
}

/** Nothing more is sent of the part: the rest is counted nowhere. */
export function stop(model: CapModel, part: string): void {
  for (const seq of heldSeqs(model, part)) release(model, part, seq);
}

function release(model: CapModel, part: string, seq: number): void {
  model.slots = model.slots.filter(
    (slot) => slot.part !== part || slot.seq !== seq || slot.acceptedAt !== null,
  );
}

function countsOf(model: CapModel, part: string) {
  const counts = model.counts.get(part);
  if (counts === undefined) throw new Error(`${part} never ran`);
  return counts;
}
