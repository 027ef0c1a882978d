import { type Bitmap, bitsOf, both, countBits, hasBit, without } from '../contract/bitmap.ts';
import type { StopFlag } from '../contract/concurrency/stop-flag.ts';
import { counted } from '../contract/counted.ts';
import { countUntil, LAST_ROUND, type Ranked, rankReaders, roundOf } from '../contract/expected-clicks.ts';
import type { AppId, DeliveryId } from '../contract/ids.ts';
import { type Outcome, outcomes, settles } from '../contract/outcome.ts';
import { type PushService, pushServices } from '../contract/push-service.ts';
import type { ServiceCounts } from '../contract/service-counts.ts';
import type { BlockEnd, BlockMaps, LeasedShard, TargetsRead, VapidKeyPair } from '../contract/shard.ts';
import type { SubjectOf } from '../contract/vapid-subject.ts';
import type { BlockSent, SendBlock, VapidIdentity } from '../worker/protocol.ts';
import { type Budgets, type Grants, nothingGranted } from './budgets.ts';
import { copiedSeqs } from './copied-seqs.ts';
import { endOfFailure, endOfSending, endWithoutSending, unsentBlock, unsettledOf } from './end-block.ts';
import { isDefect, mayRepeat } from './errors.ts';
import { createGovernors, type Governors } from './governor.ts';
import { createDeliveryBooks } from './governor-books.ts';
import { type Left, noneLeft } from './left.ts';
import type { BlockSender, BlockStore } from './ports.ts';
import { sharedWaitMs, triesOf, validUntilMs } from './retry-policy.ts';

export type BlockEnding =
  | {
      readonly kind: 'ended';
      readonly maps: BlockMaps;
      /** Null where no push service was asked. */
      readonly sent: BlockSent | null;
      readonly left: Left;
      /** The delivery was cancelled meanwhile: no further block runs. */
      readonly cancelled: boolean;
    }
  /** Another engine has the shard by now; nothing was written. */
  | { readonly kind: 'lease-lost' }
  /** The block's thread died too often; it is unknown what it sent. */
  | { readonly kind: 'worker-lost' };

/** A line threw while a block was sent: a defect of ours, and no fault of its readers. */
export interface BlockFailure {
  readonly deliveryId: DeliveryId;
  readonly block: number;
  readonly tries: number;
  /** What is left fails now. */
  readonly isLast: boolean;
  /** What was thrown, and where: its message is the first line. */
  readonly failure: string;
}

export interface RunBlockDeps {
  readonly store: BlockStore;
  readonly sender: BlockSender;
  readonly leaseMs: number;
  readonly subjectOf: SubjectOf;
  /** By the clock that expiry times were written by: Postgres'. */
  readonly nowMs: () => number;
  /** How far that is ahead of this machine's. Left out: not at all. */
  readonly aheadMs?: () => number;
  readonly onWorkerLost: (error: unknown) => void;
  readonly onBlockFailed: (failure: BlockFailure) => void;
  /** Attempts at a block that throws. */
  readonly maxAttempts: number;
  /** Shared with the code that shows the governors' state. */
  readonly governors?: Governors;
  readonly budgets: Budgets;
  /** Where an app was throttled or is limited: what its push services answered. Never rejects. */
  readonly noteAnswers: (appId: AppId, services: ServiceCounts) => Promise<void>;
}

/** What of a block one run is for. */
export interface PartOfBlock {
  /** The subset to send to. Left out: every target that is not settled. */
  readonly among?: Bitmap;
  /** Left out: nothing of push services that limit the app. */
  readonly granted?: Grants;
}

export type RunBlock = (
  shard: LeasedShard,
  block: number,
  before: BlockMaps | null,
  stop: StopFlag,
  part?: PartOfBlock,
) => Promise<BlockEnding>;

export type BlockEnded = Extract<BlockEnding, { kind: 'ended' }>;

/** A thread that dies takes its block along; each repetition may send up to a block's targets twice. */
const MAX_WORKER_LOSSES = 2;

/** Of an error's message that the publisher reads. */
const MAX_REASON = 150;

const leaseLost: BlockEnding = { kind: 'lease-lost' };

/**
 * One attempt at one block: read its targets, fix its audience, send, and end it in one transaction.
 */
export function createRunBlock(deps: RunBlockDeps): RunBlock {
  const { store, governors = createGovernors() } = deps;
  const books = createDeliveryBooks();

  return async function runBlock(shard, block, before, stop, { among, granted = {} } = {}) {
    for (let losses = 0; ; losses++) {
      const startedAtMs = deps.nowMs();
      const { rows: targets, asOfMs } = await readTargets(store, shard, block, before);
      const readAtMs = asOfMs ?? startedAtMs;
      const present = copiedSeqs(targets);
      const maps = before ?? (await store.fixAudience(shard, block, present));
      if (maps === null) return leaseLost;
      before = maps;
      const current = await endTheMissing(shard, maps, present);
      if (current === null) return leaseLost;
      const wanted = among === undefined ? unsettledOf(current) : both(unsettledOf(current), among);
      if (countBits(wanted) === 0) return nothingLeft(current);
      const governed = await governedBy(shard, block, granted);
      const sent = await send(shard, current, targets, wanted, { stop, governed });
      if (sent === 'worker-lost') {
        before = current;
        if (losses < MAX_WORKER_LOSSES) continue;
        return { kind: 'worker-lost' };
      }
      const failed = failureOf(shard, block, sent);
      const times = { readAtMs, attemptedAtMs: deps.nowMs() };
      const end = failed?.isLast
        ? endOfFailure(shard, current, sent, reasonOf(failed), times)
        : endOfSending(shard, current, sent, times.readAtMs, times.attemptedAtMs);
      const lease = await store.endBlock(shard, end, deps.leaseMs);
      if (lease === 'lost') return leaseLost;
      books.noteSent(shard.deliveryId, sent);
      if (failed !== null) deps.onBlockFailed(failed);
      if (!shard.rehearsal && end.services !== undefined) await deps.noteAnswers(shard.appId, end.services);
      return {
        kind: 'ended',
        maps: end.maps,
        sent: shard.rehearsal ? null : sent,
        left: {
          ...leftBy(sent, books.isOverBudget(shard.deliveryId), failed),
          nextRound: nextRoundOf(governed, end.maps),
        },
        cancelled: lease === 'cancelled',
      };
    }
  };

  function failureOf(shard: LeasedShard, block: number, { failure }: BlockSent): BlockFailure | null {
    if (failure === undefined) return null;
    const tries = triesOf(shard);
    return { deliveryId: shard.deliveryId, block, tries, isLast: tries >= deps.maxAttempts, failure };
  }

  /** A subscriber of the fixed audience who has unsubscribed since gets nothing, and counts as failed. */
  async function endTheMissing(
    shard: LeasedShard,
    maps: BlockMaps,
    present: Bitmap,
  ): Promise<BlockMaps | null> {
    const missing = without(unsettledOf(maps), present);
    if (countBits(missing) === 0) return maps;
    const end: BlockEnd = endWithoutSending(shard, maps, {
      left: missing,
      outcome: 'gone',
      reason: 'unsubscribed meanwhile',
      atMs: deps.nowMs(),
      serviceOf: await servicesOf(store, shard, maps.block, missing),
    });
    return (await store.endBlock(shard, end, deps.leaseMs)) === 'lost' ? null : end.maps;
  }

  async function send(
    shard: LeasedShard,
    { block, acceptedBefore }: BlockMaps,
    targets: Uint8Array<ArrayBuffer>,
    wanted: Bitmap,
    { stop, governed }: { readonly stop: StopFlag; readonly governed: Governed },
  ): Promise<BlockSent | 'worker-lost'> {
    try {
      const notification = notificationOf(shard, deps.nowMs());
      return await deps.sender.sendBlock({
        ...taskOf(shard, deps.subjectOf),
        ...governed.task,
        ...(acceptedBefore === undefined ? {} : { acceptedBefore }),
        ...(shard.wording === null ? {} : { wording: shard.wording }),
        targets,
        wanted,
        notification,
        aheadMs: deps.aheadMs?.() ?? 0,
        stop,
      });
    } catch (error) {
      if (isDefect(error)) return unsentBy(error, shard, block, wanted);
      if (!mayRepeat(error)) throw error;
      deps.onWorkerLost(error);
      return 'worker-lost';
    }
  }

  /** It threw before its first message. */
  async function unsentBy(
    { message }: Error,
    shard: LeasedShard,
    block: number,
    wanted: Bitmap,
  ): Promise<BlockSent> {
    const serviceOf = await servicesOf(store, shard, block, wanted);
    return { ...unsentBlock(bitsOf(wanted, block), serviceOf), failure: message };
  }

  async function governedBy(shard: LeasedShard, block: number, granted: Grants): Promise<Governed> {
    const { appId } = shard;
    if (shard.rehearsal) return { task: { channelState: governors.rehearsalStateOf(appId) } };
    const channelState = governors.stateOf(appId);
    const budgets = await deps.budgets.of(appId);
    if (budgets.length === 0 && !governors.wasThrottled(appId)) return { task: { channelState } };
    const ranked = rankReaders(await store.readHistory(appId, block));
    // A paced shard sends only what is due: there it is only the order.
    const round = shard.ratePerMinute === null ? shard.activityRound : LAST_ROUND;
    const inThisRound = countUntil(ranked, round);
    const rounds = round === LAST_ROUND ? {} : { inThisRound };
    const budget = budgets.length === 0 ? {} : { budget: { ...nothingGranted(budgets), ...granted } };
    return {
      task: { channelState, order: ranked.order, ...rounds, ...budget },
      later: { ranked, inThisRound },
    };
  }
}

/** What a block is sent with. */
interface Governed {
  readonly task: Pick<SendBlock, 'channelState' | 'order' | 'inThisRound' | 'budget'>;
  /** Left out: the block is sent in any order. */
  readonly later?: { readonly ranked: Ranked; readonly inThisRound: number };
}

/** The round of the first of those who are left and were not in this one. */
function nextRoundOf({ later }: Governed, maps: BlockMaps): number {
  if (later === undefined) return LAST_ROUND;
  const { order, rates } = later.ranked;
  const unsettled = unsettledOf(maps);
  const next = order.findIndex((seq, rank) => rank >= later.inThisRound && hasBit(unsettled, seq));
  return next === -1 ? LAST_ROUND : roundOf(rates[next] as number);
}

/** The push service of each endpoint, to count targets that end without a request. */
export async function servicesOf(
  store: BlockStore,
  shard: LeasedShard,
  block: number,
  among: Bitmap,
): Promise<(seq: number) => number> {
  const services = await store.readServices(shard.appId, block, among);
  return (seq) => services.get(seq) ?? 0;
}

/** Fixes a block's audience, the cap included, without sending to it. Null: the lease is lost. */
export async function fixBlock(
  store: BlockStore,
  shard: LeasedShard,
  block: number,
): Promise<BlockMaps | null> {
  return store.fixAudience(shard, block, copiedSeqs((await readTargets(store, shard, block, null)).rows));
}

/**
 * An audience of everyone: all subscribed ones. Otherwise the subscriptions that match when the block first runs,
 * and later those of its fixed audience that are not settled: changes meanwhile have no effect.
 */
async function readTargets(
  store: BlockStore,
  shard: LeasedShard,
  block: number,
  before: BlockMaps | null,
): Promise<TargetsRead> {
  const { appId, audience, wording } = shard;
  const how = { tags: wording?.tags, planPosition: before === null ? shard.planPosition : null };
  if (audience === null) return store.readTargets(appId, block, how);
  const among = before === null ? await store.readAudience(appId, block, audience) : unsettledOf(before);
  return store.readTargets(appId, block, { ...how, among });
}

export const nothingLeft = (maps: BlockMaps): BlockEnded => ({
  kind: 'ended',
  maps,
  sent: null,
  left: noneLeft,
  cancelled: false,
});

function leftBy(sent: BlockSent, overBudget: boolean, failed: BlockFailure | null): Omit<Left, 'nextRound'> {
  return {
    later: sent.later ?? 0,
    budgeted: sent.budgeted ?? {},
    onProbation: sent.onProbation ?? 0,
    heldBack: (sent.held ?? 0) > 0,
    retryAfterMs: failed?.isLast ? null : waitOf(sent),
    overBudget,
    pause: sent.pauses?.[0] ?? null,
    failed: failed !== null && !failed.isLast,
  };
}

const reasonOf = ({ tries, failure }: BlockFailure): string =>
  `failed after ${counted(tries, 'attempt')}: ${failure.split('\n', 1)[0]?.slice(0, MAX_REASON).replaceAll('\0', ' ').toWellFormed()}`;

/** A push service keeps a message no longer than its delivery is valid. */
function notificationOf(shard: LeasedShard, nowMs: number): SendBlock['notification'] {
  const { plaintext, ttlSeconds, urgency, topic, expiresAtMs } = shard;
  const leftSeconds =
    expiresAtMs === null ? ttlSeconds : Math.max(0, Math.floor((expiresAtMs - nowMs) / 1_000));
  return { plaintext, ttlSeconds: Math.min(ttlSeconds, leftSeconds), urgency, topic };
}

function taskOf(
  shard: LeasedShard,
  subjectOf: SubjectOf,
): Pick<SendBlock, 'kind' | 'vapid' | 'vapidByNumber' | 'notAfterMs' | 'lane' | 'rehearsal'> {
  const subject = subjectOf(shard.siteDomain);
  const identityOf = ({ publicKey, privateKey }: Omit<VapidKeyPair, 'number'>): VapidIdentity => ({
    publicKey,
    privateKey,
    subject,
  });
  const vapid = identityOf({ publicKey: shard.vapidPublicKey, privateKey: shard.vapidPrivateKey });
  return {
    kind: 'send-block',
    vapid,
    vapidByNumber: new Map([
      [shard.vapidKeyNumber, vapid],
      ...shard.formerVapidKeys.map((pair) => [pair.number, identityOf(pair)] as const),
    ]),
    notAfterMs: validUntilMs(shard),
    lane: shard.lane,
    rehearsal: shard.rehearsal,
  };
}

/** Over the push services that targets are left of; null: of none. */
function waitOf({ outcomes: codes, services, retryAfterMs }: BlockSent): number | null {
  const left = new Set<PushService>();
  for (let index = 0; index < codes.length; index++) {
    const outcome = outcomes[codes[index] as number] as Outcome;
    if (!settles[outcome]) left.add(pushServices[services[index] as number] ?? 'other');
  }
  const waits = Array.from(left, (service) => retryAfterMs[service] ?? 0);
  return waits.length === 0 ? null : waits.reduce(sharedWaitMs);
}
