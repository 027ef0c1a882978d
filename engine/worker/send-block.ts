import { hasBit } from '../contract/bitmap.ts';
import { type ChannelState, word, writeWord } from '../contract/channel-state.ts';
import { type Clock, systemClock } from '../contract/concurrency/clock.ts';
import { failureCode, outcomeCode } from '../contract/outcome.ts';
import { pushServices } from '../contract/push-service.ts';
import type { EncryptBatch } from './encrypt.ts';
import { encryptEach } from './encrypt-each.ts';
import type { Governor } from './governor.ts';
import type { Envelope } from './message.ts';
import type { Origins } from './origin-health.ts';
import { createPermits } from './permits.ts';
import { createPost } from './post.ts';
import type { Probation } from './probation.ts';
import type { BlockSent, SendBlock, WorkerOptions } from './protocol.ts';
import type { PushClient } from './push-client.ts';
import { createQueues, type QueuesDeps } from './queues.ts';
import { createTextOf, readerAt, type TextRefusal } from './reader-texts.ts';
import { believe, createRejections } from './rejections.ts';
import { createResultSheet, type ResultSheet } from './result-sheet.ts';
import { type AddressOf, createAddressOf, type SharedHeaders } from './shared-headers.ts';
import { createTargetCursor, selectedSeqs } from './targets.ts';
import { createTurns } from './turns.ts';
import type { Authorize } from './vapid.ts';
import type { Windows } from './window.ts';

/**
 * Messages encrypted between two turns of the event loop, and bodies that wait to be sent: 3 ms in which no answer
 * is read with node:crypto, less with the others. Two whole groups of the multi-buffer library's eight.
 */
const MESSAGES_PER_TURN = 16;

export interface SendBlockDeps {
  readonly options: Pick<
    WorkerOptions,
    'maxInFlight' | 'endpointHosts' | 'allowAnyEndpointHost' | 'answerTimeoutMs'
  >;
  readonly encryptBatch: EncryptBatch;
  readonly authorize: Authorize;
  readonly client: Pick<PushClient, 'post'>;
  /** Answers rehearsals; reaches no network. */
  readonly sink: Pick<PushClient, 'post'>;
  /** Shared by all blocks of the thread. */
  readonly window: Windows;
  readonly governor: Governor;
  readonly probation: Probation;
  readonly origins: Origins;
  readonly random: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when a request has ended, whatever its answer. Absent: nobody counts. */
  readonly onAnswered?: () => void;
  /** The monotonic clock by which a block waits; `now` may be set. Absent: the system's. */
  readonly clock?: Clock;
}

/**
 * Decode, encrypt, send, classify: one outcome per selected target, in order. Whatever throws between the first message
 * and the last answer becomes `BlockSent.failure`: what was sent is reported, and every permit is given back.
 * @throws Error on targets that are not COPY: a bug; nothing was sent then.
 */
export function createSendBlock(deps: SendBlockDeps): (task: SendBlock) => Promise<BlockSent> {
  const perTurn = Math.min(MESSAGES_PER_TURN, deps.options.maxInFlight);
  const { clock = systemClock } = deps;
  const turns = createTurns();
  const policy = { hosts: deps.options.endpointHosts, allowAnyHost: deps.options.allowAnyEndpointHost };

  return async function sendBlock(task) {
    const state = task.channelState ?? deps.governor.newState();
    const sheet = createResultSheet(selectedSeqs(task.targets, task.wanted));
    const addressOf = createAddressOf(task, state, policy, deps.authorize, deps.origins);
    const isThrottled = (channel: number): boolean => deps.governor.wasThrottled(state, channel);
    const trust = createTrust(state, deps.origins);
    const envelopes = withinBudget(
      task,
      readEnvelopes(task, { addressOf, isThrottled, trust }, sheet),
      sheet,
    );
    const rejections = createRejections(state, deps.options.answerTimeoutMs, clock.now, deps.random);
    const { rehearsal, lane = 'bulk' } = task;
    const window = deps.window.of(lane);
    const permits = createPermits({ ...deps, window, rejections, rehearsal });
    const laneDeps = { ...deps, window, lane, rejections, rehearsal, permits };
    const refuse = createRefuse(task, sheet, deps.origins);
    const textOf = textsOf(task);
    const queues = createQueues(envelopes, sheet, { ...laneDeps, state, refuse, textOf, clock });
    const stopped = (): boolean => isStopped(task, deps.now) || sheet.hasFailed();
    const post = createPost(task, state, sheet, { ...laneDeps, stopped, refuseTarget: refuseTarget(sheet) });

    async function sendAll(): Promise<void> {
      while (!stopped()) {
        const batch = queues.take(perTurn);
        if (batch.length > 0) {
          post.all(batch, encryptEach(deps.encryptBatch, task, batch));
          await turns.next(lane);
        } else if (queues.isEmpty()) return;
        else await queues.changed();
      }
    }

    try {
      await sendAll();
    } catch (error) {
      sheet.fail(error);
    } finally {
      permits.takeBackAll(post.isSent);
    }
    await post.allAnswered();
    try {
      post.blame();
    } catch (error) {
      sheet.fail(error);
    }
    return sheet.toBlockSent();
  };
}

const isStopped = ({ stop, notAfterMs, aheadMs = 0 }: SendBlock, now: () => number): boolean =>
  Atomics.load(stop, 0) !== 0 || (notAfterMs !== null && now() + aheadMs >= notAfterMs);

/** What each reader gets. */
function textsOf({ wording, notification }: SendBlock): QueuesDeps['textOf'] {
  if (wording === undefined) return () => notification.plaintext;
  const textOf = createTextOf(wording);
  return ({ reader }) => (reader === undefined ? 'bad-tags' : textOf(reader));
}

/** What is known about the messages' destinations. */
interface Reading {
  readonly addressOf: AddressOf;
  readonly isThrottled: (channel: number) => boolean;
  /** Of an endpoint that accepted before. */
  readonly trust: (sharedHeaders: SharedHeaders) => void;
}

/** Notes when an endpoint is trusted. */
function createTrust(state: ChannelState, origins: Origins): (sharedHeaders: SharedHeaders) => void {
  const trusted = new Set<SharedHeaders>();
  return function trust(sharedHeaders) {
    if (trusted.has(sharedHeaders)) return;
    trusted.add(sharedHeaders);
    origins.trust(sharedHeaders.health);
    const channel = sharedHeaders.channel();
    writeWord(state, channel, word.hasKnown, 1);
    believe(state, { channel, key: sharedHeaders.key });
  };
}

/** Reads all targets, in the order of sending; those that can never be sent are settled here and left out. */
function readEnvelopes(task: SendBlock, reading: Reading, sheet: ResultSheet): Envelope[] {
  const envelopes: Envelope[] = [];
  const ranks = task.order === undefined ? null : ranksOf(task.order);
  const inThisRound = task.inThisRound ?? Number.POSITIVE_INFINITY;
  const rankOf: number[] = [];
  const cursor = createTargetCursor(task.targets, task.wanted);
  const refuse = refuseTarget(sheet);
  for (let index = 0; cursor.next(); index++) {
    const address = reading.addressOf(cursor.endpoint(), cursor.vapidKeyNumber());
    if (address.kind === 'refused') {
      refuse(index, null, address.why);
      continue;
    }
    // Stays unsent: the shard's next lease brings the key pair.
    if (address.kind === 'other-key') continue;
    const { sharedHeaders, path } = address;
    const isKnown = task.acceptedBefore !== undefined && hasBit(task.acceptedBefore, cursor.seq());
    if (isKnown) reading.trust(sharedHeaders);
    sheet.writeService(index, sharedHeaders.serviceIndex);
    const rank = ranks?.get(cursor.seq()) ?? ranks?.size ?? 0;
    const isLimited = task.budget?.[sharedHeaders.service] !== undefined;
    if (rank >= inThisRound && (isLimited || reading.isThrottled(sharedHeaders.channel()))) {
      sheet.addLater();
      continue;
    }
    const envelope = { index, sharedHeaders, path, isKnown, p256dh: cursor.p256dh(), auth: cursor.auth() };
    envelopes.push(task.wording === undefined ? envelope : { ...envelope, reader: readerAt(cursor) });
    rankOf[index] = rank;
  }
  if (ranks === null) return envelopes;
  return envelopes.sort((a, b) => (rankOf[a.index] as number) - (rankOf[b.index] as number));
}

/**
 * Without those that the budget of their push service has no room for; the order stays. Endpoints that accepted before
 * come first: invented ones must not use up the budget of readers.
 */
function withinBudget({ budget }: SendBlock, envelopes: Envelope[], sheet: ResultSheet): Envelope[] {
  if (budget === undefined) return envelopes;
  const rooms = new Map(Object.entries(budget));
  const chosen = new Set<Envelope>();
  for (const wantsKnown of [true, false]) {
    for (const envelope of envelopes) {
      const { service } = envelope.sharedHeaders;
      const room = rooms.get(service) ?? Number.POSITIVE_INFINITY;
      if (envelope.isKnown !== wantsKnown || room <= 0) continue;
      rooms.set(service, room - 1);
      chosen.add(envelope);
    }
  }
  for (const envelope of envelopes)
    if (!chosen.has(envelope)) sheet.addBudgeted(envelope.sharedHeaders.service);
  return envelopes.filter((envelope) => chosen.has(envelope));
}

const whyNotSigned = ({ vapid }: SendBlock): string =>
  vapid.subject === null
    ? 'not sent: the app’s site is not a contact, and VAPID_SUBJECT is not set'
    : 'bad-vapid-key';

const ranksOf = (order: Uint32Array): Map<number, number> =>
  new Map(Array.from(order, (seq, rank) => [seq, rank]));

/** Why a reader has no text, as the publisher reads it. */
const withoutText: Readonly<Record<TextRefusal, string>> = {
  'bad-tags': 'not sent: the reader’s tags cannot be read',
  'bad-text': 'not sent: the text has a {{ }} that is no longer known',
  'too-long': 'not sent: with the reader’s tags the text is too long',
};

/** Settles a target that no push service will ever take: nothing was sent. */
const refuseTarget =
  (sheet: ResultSheet) =>
  (index: number, sharedHeaders: SharedHeaders | null, why: string): void => {
    const serviceIndex = sharedHeaders?.serviceIndex ?? pushServices.indexOf('other');
    const codes = { outcome: outcomeCode.rejected, failure: failureCode.refused };
    sheet.write(index, { ...codes, status: 0, serviceIndex, latencyMs: 0 });
    sheet.addReason(sharedHeaders?.service ?? 'other', 0, why);
  };

function createRefuse(task: SendBlock, sheet: ResultSheet, origins: Origins): QueuesDeps['refuse'] {
  const settle = refuseTarget(sheet);
  return ({ index, sharedHeaders, isKnown }, why) => {
    if (why === 'not-signed') return settle(index, sharedHeaders, whyNotSigned(task));
    if (why !== 'not-connected') return settle(index, sharedHeaders, withoutText[why]);
    const { service, serviceIndex, health } = sharedHeaders;
    const codes = { outcome: outcomeCode.unreachable, failure: failureCode.refused };
    sheet.write(index, { ...codes, status: 0, serviceIndex, latencyMs: 0 });
    sheet.addReason(service, 0, health.why);
    sheet.addOnProbation(1);
    if (!isKnown && origins.isMadeUp(health)) sheet.addInvalid(index);
  };
}
