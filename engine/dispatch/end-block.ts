import { type Bitmap, bitsOf, countBits, setBit, without } from '../contract/bitmap.ts';
import { isTest, isWelcome } from '../contract/frozen-audience.ts';
import { failureCode, type Outcome, outcomeCode, outcomes, settles } from '../contract/outcome.ts';
import { packBlockOutcomes } from '../contract/packed-outcomes.ts';
import { pushServices } from '../contract/push-service.ts';
import { countIndex, emptyServiceCounts, type ServiceCounts } from '../contract/service-counts.ts';
import type { BlockEnd, BlockMaps, LeasedShard, Strike } from '../contract/shard.ts';
import type { BlockSent } from '../worker/protocol.ts';

const settlesByCode = outcomes.map((outcome) => settles[outcome]);
const MAX_REASONS = 8;

/**
 * Turns a worker's report into the block's transaction.
 * @param readAtMs when the targets were read.
 * @param attemptedAtMs when the attempt ended, for the outcomes' time.
 */
export function endOfSending(
  shard: LeasedShard,
  maps: BlockMaps,
  sent: BlockSent,
  readAtMs: number,
  attemptedAtMs: number,
): BlockEnd {
  const accepted = Uint8Array.from(maps.accepted);
  const settled = Uint8Array.from(maps.settled);
  const gone: number[] = [];
  let attempted = 0;
  let unknown = 0;
  for (let i = 0; i < sent.seqs.length; i++) {
    const seq = sent.seqs[i] as number;
    const code = sent.outcomes[i] as number;
    if (code !== outcomeCode.unsent) attempted++;
    if (sent.failures[i] === failureCode.unknown) unknown++;
    if (settlesByCode[code]) setBit(settled, seq);
    if (code === outcomeCode.accepted) setBit(accepted, seq);
    if (code === outcomeCode.gone) gone.push(seq);
  }
  const newlyAccepted = countBits(accepted) - countBits(maps.accepted);
  return {
    maps: { ...maps, accepted, settled },
    newlyAccepted,
    newlyFailed: countBits(settled) - countBits(maps.settled) - newlyAccepted,
    unknown,
    gone,
    readAtMs,
    ...endpointRecordOf(shard, maps, accepted, sent),
    reasons: countReasons(sent),
    services: countServices(sent),
    ...(isWelcome(shard.audience) ? { welcome: true } : {}),
    packedOutcomes:
      // Of a rehearsal or a test nothing is recorded: no statistic may count it.
      attempted === 0 || shard.rehearsal || isTest(shard.audience)
        ? null
        : packBlockOutcomes({
            appId: shard.appId,
            deliveryId: shard.deliveryId,
            block: maps.block,
            attempt: shard.attempt,
            atMs: attemptedAtMs,
            ...arraysOf(sent),
          }),
  };
}

/** As `endOfSending`, of a block that threw for the last time: what is left unsent fails with the reason. */
export function endOfFailure(
  shard: LeasedShard,
  maps: BlockMaps,
  sent: BlockSent,
  reason: string,
  { readAtMs, attemptedAtMs }: { readonly readAtMs: number; readonly attemptedAtMs: number },
): BlockEnd {
  const outcomes = sent.outcomes.map((code) => (code === outcomeCode.unsent ? outcomeCode.expired : code));
  const left = sent.outcomes.filter((code) => code === outcomeCode.unsent).length;
  const end = endOfSending(shard, maps, { ...sent, outcomes }, readAtMs, attemptedAtMs);
  return { ...end, reasons: { ...countReasons(sent), ...(left === 0 ? {} : { [reason]: left }) } };
}

interface Unsent {
  readonly left: Bitmap;
  readonly outcome: Extract<Outcome, 'expired' | 'gone'>;
  readonly reason: string;
  /** Since 1970. */
  readonly atMs: number;
  /** Index into `pushServices`. */
  readonly serviceOf: (seq: number) => number;
}

/**
 * Ends targets without a request: `expired` when the time or the attempts ran out, `gone` when they
 * unsubscribed meanwhile.
 */
export function endWithoutSending(
  shard: LeasedShard,
  maps: BlockMaps,
  { left, outcome, reason, atMs, serviceOf }: Unsent,
): BlockEnd {
  const sent = unsentBlock(bitsOf(left, maps.block), serviceOf);
  sent.outcomes.fill(outcomeCode[outcome]);
  const end = endOfSending(shard, maps, sent, atMs, atMs);
  const count = sent.seqs.length;
  // They unsubscribed or expired here: no push service answered gone, so none is unsubscribed for it.
  return { ...end, gone: [], reasons: count === 0 ? {} : { [reason]: count } };
}

export const unsettledOf = (maps: BlockMaps): Bitmap => without(maps.audience, maps.settled);

/** What the attempt shows about the endpoints; a rehearsal shows nothing. */
function endpointRecordOf(
  { rehearsal }: LeasedShard,
  { accepted: before, acceptedBefore }: BlockMaps,
  accepted: Bitmap,
  sent: BlockSent,
): Pick<BlockEnd, 'newlyKnown' | 'invalid'> {
  if (rehearsal) return {};
  const now = without(accepted, before);
  const newlyKnown = acceptedBefore === undefined ? now : without(now, acceptedBefore);
  const invalid = strikesOf(sent);
  return {
    ...(countBits(newlyKnown) > 0 ? { newlyKnown } : {}),
    ...(invalid.length > 0 ? { invalid } : {}),
  };
}

function strikesOf(sent: BlockSent): Strike[] {
  if (sent.invalid === undefined || sent.invalid.length === 0) return [];
  const indexes = new Map(Array.from(sent.seqs, (seq, index) => [seq, index]));
  return Array.from(sent.invalid, (seq) => {
    const index = indexes.get(seq) ?? 0;
    return { seq, reason: reasonText(sent, index, outcomes[sent.outcomes[index] as number] as Outcome) };
  });
}

/** What a worker would report that sent nothing. */
export function unsentBlock(seqs: readonly number[], serviceOf: (seq: number) => number): BlockSent {
  const n = seqs.length;
  return {
    kind: 'block-sent',
    seqs: Uint32Array.from(seqs),
    outcomes: new Uint8Array(n),
    failures: new Uint8Array(n),
    statuses: new Uint16Array(n),
    services: Uint8Array.from(seqs, serviceOf),
    latenciesMs: new Uint16Array(n),
    retryAfterMs: {},
    reasons: [],
  };
}

function arraysOf({ seqs, outcomes, failures, statuses, services, latenciesMs }: BlockSent) {
  return { seqs, outcomes, failures, statuses, services, latenciesMs };
}

/** Targets settled by the attempt are in `counts`, the others in `waiting`. */
function countServices({ outcomes: codes, services }: BlockSent): ServiceCounts {
  const counts = emptyServiceCounts();
  const waiting: number[] = new Array(pushServices.length).fill(0);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    const service = services[i] as number;
    if (code === outcomeCode.throttled) addOne(counts, countIndex(service, 'throttled'));
    if (!settlesByCode[code]) addOne(waiting, service);
    else addOne(counts, countIndex(service, code === outcomeCode.accepted ? 'accepted' : 'failed'));
  }
  return { counts, waiting };
}

function addOne(numbers: number[], index: number): void {
  numbers[index] = (numbers[index] ?? 0) + 1;
}

/** Final failures, grouped by what the publisher can act on: outcome, status, push service and its reason. */
function countReasons(sent: BlockSent): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < sent.seqs.length; i++) {
    const code = sent.outcomes[i] as number;
    if (!settlesByCode[code] || code === outcomeCode.accepted) continue;
    const text = reasonText(sent, i, outcomes[code] as Outcome);
    if (text in counts || Object.keys(counts).length < MAX_REASONS) counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}

function reasonText(sent: BlockSent, index: number, outcome: Outcome): string {
  const service = pushServices[sent.services[index] as number] ?? 'other';
  const status = sent.statuses[index] as number;
  const said = sent.reasons.find((reason) => reason.service === service && reason.status === status)?.text;
  const head = status === 0 ? outcome : `${outcome}, ${service} answered ${status}`;
  return said === undefined || said === '' ? head : `${head}: ${said}`;
}
