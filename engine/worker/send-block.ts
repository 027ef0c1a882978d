import { hasBit } from '../contract/bitmap.ts';
import { type ChannelBoard, readWord, word, writeWord } from '../contract/channel-board.ts';
import { type Clock, systemClock } from '../contract/clock.ts';
import { failureCode, type Outcome, outcomeCode, settles } from '../contract/outcome.ts';
import { pushServices } from '../contract/push-service.ts';
import { classifyStatus, parseRetryAfter } from './classify.ts';
import type { EncryptBatch } from './encrypt.ts';
import type { Governor } from './governor.ts';
import { type AddressOf, createAddressOf, type Letterhead } from './letterheads.ts';
import type { Probation } from './probation.ts';
import type { BlockSent, SendBlock, WorkerOptions } from './protocol.ts';
import type { PushAnswer } from './push-answer.ts';
import type { PushClient } from './push-client.ts';
import { createQueues, type Envelope, type Outgoing, type Refusal } from './queues.ts';
import { createTextOf, readerAt } from './reader-texts.ts';
import { tidy } from './reasons.ts';
import { believe, createRejections, type Rejections, rejectsSender } from './rejections.ts';
import { createResultSheet, type ResultSheet } from './result-sheet.ts';
import { createTargetCursor, selectedSeqs } from './targets.ts';
import type { Authorize } from './vapid.ts';
import type { WayEnding, Ways } from './ways.ts';
import type { Window, Windows } from './window.ts';

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
  readonly ways: Ways;
  readonly random: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The monotonic clock by which a block waits; `now` may be set. Absent: the system's. */
  readonly clock?: Clock;
}

/**
 * Decode, encrypt, send, classify: one outcome per selected target, in order.
 * @throws Error on targets that are no COPY: a bug; nothing was sent then.
 */
export function createSendBlock(deps: SendBlockDeps): (task: SendBlock) => Promise<BlockSent> {
  const perTurn = Math.min(MESSAGES_PER_TURN, deps.options.maxInFlight);
  const { clock = systemClock } = deps;
  const policy = { hosts: deps.options.endpointHosts, allowAnyHost: deps.options.allowAnyEndpointHost };

  return async function sendBlock(task) {
    const board = task.board ?? deps.governor.newBoard();
    const sheet = createResultSheet(selectedSeqs(task.targets, task.wanted));
    const addressOf = createAddressOf(task, board, policy, deps.authorize, deps.ways);
    const isThrottled = (channel: number): boolean => deps.governor.wasThrottled(board, channel);
    const trust = createTrust(board, deps.ways);
    const envelopes = withinBudget(
      task,
      readEnvelopes(task, { addressOf, isThrottled, trust }, sheet),
      sheet,
    );
    const rejections = createRejections(board, deps.options.answerTimeoutMs, clock.now, deps.random);
    const { rehearsal, lane = 'bulk' } = task;
    const laneDeps = { ...deps, window: deps.window.of(lane), lane, rejections, rehearsal };
    const refuse = createRefuse(task, sheet, deps.ways);
    const queues = createQueues(envelopes, sheet, { ...laneDeps, board, refuse, clock });
    const post = createPost(task, board, sheet, laneDeps);
    const textOf = task.wording === undefined ? null : await createTextOf(task.wording);
    while (!isStopped(task, deps.now)) {
      const batch = queues.take(perTurn);
      if (batch.length === 0) {
        if (queues.isEmpty()) break;
        await queues.changed();
        continue;
      }
      const keys = batch.map(({ envelope }) => envelope);
      const plaintexts = textOf === null ? task.notification.plaintext : keys.map(textOf);
      const bodies = deps.encryptBatch(plaintexts, keys);
      for (const [at, outgoing] of batch.entries()) post.one(outgoing, bodies[at] ?? null);
      await nextTurn();
    }
    await post.allAnswered();
    return sheet.toBlockSent();
  };
}

interface Judged {
  readonly outcome: Outcome;
  readonly retryAfterMs: number | null;
}

const isStopped = ({ stop, notAfterMs, aheadMs = 0 }: SendBlock, now: () => number): boolean =>
  Atomics.load(stop, 0) !== 0 || (notAfterMs !== null && now() + aheadMs >= notAfterMs);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What is known about the messages' destinations. */
interface Reading {
  readonly addressOf: AddressOf;
  readonly isThrottled: (channel: number) => boolean;
  /** Of an endpoint that accepted before. */
  readonly trust: (letterhead: Letterhead) => void;
}

/** Notes when an endpoint is trusted. */
function createTrust(board: ChannelBoard, ways: Ways): (letterhead: Letterhead) => void {
  const trusted = new Set<Letterhead>();
  return function trust(letterhead) {
    if (trusted.has(letterhead)) return;
    trusted.add(letterhead);
    ways.trust(letterhead.way);
    const channel = letterhead.channel();
    writeWord(board, channel, word.hasKnown, 1);
    believe(board, { channel, key: letterhead.key });
  };
}

/** Reads all targets, in the order of sending; those that can never be sent are settled here and left out. */
function readEnvelopes(task: SendBlock, reading: Reading, sheet: ResultSheet): Envelope[] {
  const envelopes: Envelope[] = [];
  const ranks = task.order === undefined ? null : ranksOf(task.order);
  const inThisRound = task.inThisRound ?? Number.POSITIVE_INFINITY;
  const rankOf: number[] = [];
  const cursor = createTargetCursor(task.targets, task.wanted);
  for (let index = 0; cursor.next(); index++) {
    const address = reading.addressOf(cursor.endpoint(), cursor.vapidKeyNumber());
    if (address.kind === 'refused') {
      refuse(sheet, index, null, address.why);
      continue;
    }
    // Stays unsent: the shard's next lease brings the key pair.
    if (address.kind === 'other-key') continue;
    const { letterhead, path } = address;
    const isKnown = task.acceptedBefore !== undefined && hasBit(task.acceptedBefore, cursor.seq());
    if (isKnown) reading.trust(letterhead);
    sheet.writeService(index, letterhead.serviceIndex);
    const rank = ranks?.get(cursor.seq()) ?? ranks?.size ?? 0;
    const isLimited = task.budget?.[letterhead.service] !== undefined;
    if (rank >= inThisRound && (isLimited || reading.isThrottled(letterhead.channel()))) {
      sheet.addLater();
      continue;
    }
    const envelope = { index, letterhead, path, isKnown, p256dh: cursor.p256dh(), auth: cursor.auth() };
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
      const { service } = envelope.letterhead;
      const room = rooms.get(service) ?? Number.POSITIVE_INFINITY;
      if (envelope.isKnown !== wantsKnown || room <= 0) continue;
      rooms.set(service, room - 1);
      chosen.add(envelope);
    }
  }
  for (const envelope of envelopes) if (!chosen.has(envelope)) sheet.addBudgeted(envelope.letterhead.service);
  return envelopes.filter((envelope) => chosen.has(envelope));
}

const whyNotSigned = ({ vapid }: SendBlock): string =>
  vapid.subject === null
    ? 'not sent: the app’s site is no contact, and VAPID_SUBJECT is not set'
    : 'bad-vapid-key';

const ranksOf = (order: Uint32Array): Map<number, number> =>
  new Map(Array.from(order, (seq, rank) => [seq, rank]));

/** Settles a target that no push service will ever take: nothing was sent. */
function refuse(sheet: ResultSheet, index: number, letterhead: Letterhead | null, why: string): void {
  const serviceIndex = letterhead?.serviceIndex ?? pushServices.indexOf('other');
  const codes = { outcome: outcomeCode.rejected, failure: failureCode.refused };
  sheet.write(index, { ...codes, status: 0, serviceIndex, latencyMs: 0 });
  sheet.addReason(letterhead?.service ?? 'other', 0, why);
}

function createRefuse(task: SendBlock, sheet: ResultSheet, ways: Ways) {
  return ({ index, letterhead, isKnown }: Envelope, why: Refusal): void => {
    if (why === 'not-signed') {
      refuse(sheet, index, letterhead, whyNotSigned(task));
      return;
    }
    const { service, serviceIndex, way } = letterhead;
    const codes = { outcome: outcomeCode.unreachable, failure: failureCode.refused };
    sheet.write(index, { ...codes, status: 0, serviceIndex, latencyMs: 0 });
    sheet.addReason(service, 0, way.why);
    sheet.addDoubtful(1);
    if (!isKnown && ways.isMadeUp(way)) sheet.addStruck(index);
  };
}

interface PostDeps extends Omit<SendBlockDeps, 'window'> {
  readonly window: Window;
  readonly rejections: Rejections;
}

const wayEndingOf = ({ status, connected }: PushAnswer): WayEnding =>
  status !== 0 ? 'answered' : connected ? 'silent' : 'not-connected';

/**
 * Sends the messages of one block and knows when the last answer is in.
 *
 * In one piece: what was sent and what is answered are the same messages.
 */
function createPost(task: SendBlock, board: ChannelBoard, sheet: ResultSheet, deps: PostDeps) {
  const { window, governor, probation, rejections, ways, now } = deps;
  const client = task.rehearsal ? deps.sink : deps.client;
  /** By index: the messages whose answers are read, with their push service. */
  const sent: Outgoing[] = [];
  /** Endpoints that rejected their sender: the fault is decided when all answers are in. */
  const rejecting: Outgoing[] = [];
  let unanswered = 0;
  let onAllAnswered: (() => void) | null = null;

  function giveBack({ windowKey, probationKey }: Outgoing): void {
    window.give(windowKey);
    if (probationKey !== null) probation.give(probationKey);
  }

  /** Whether its answer counts for itself alone. An origin that answers at last is treated like the others. */
  const isStranger = ({ envelope, probationKey }: Outgoing, { status }: PushAnswer): boolean =>
    probationKey !== null &&
    (status === 0 || readWord(board, envelope.letterhead.channel(), word.hasKnown) !== 0);

  /** What the answer says about the origin, the sender and the push service. */
  function learn(outgoing: Outgoing, answer: PushAnswer, judged: Judged, stranger: boolean): void {
    const { envelope, channel, probationKey } = outgoing;
    const { letterhead, isKnown } = envelope;
    const { latencyMs, status, text, connected } = answer;
    if (probationKey !== null) probation.answered(board, channel, judged.outcome);
    if (stranger && !settles[judged.outcome]) sheet.addDoubtful(1);
    // A name that does not resolve says nothing about others, and neither does an endpoint that never accepted.
    const says = connected && (!stranger || judged.outcome === 'accepted');
    if (says) governor.answered(board, letterhead.channel(), { ...judged, latencyMs });
    const sender = { channel, key: letterhead.key };
    const halted = rejections.answered(sender, isKnown, { outcome: judged.outcome, status });
    if (halted !== null)
      sheet.addHalt({ channel, service: letterhead.service, status: halted, text: tidy(text) });
    if (judged.outcome === 'rejected' && rejectsSender(status)) rejecting.push(outgoing);
    if (!connected && !isKnown && ways.isMadeUp(letterhead.way)) sheet.addStruck(envelope.index);
  }

  const listener = {
    answered(index: number, answer: PushAnswer) {
      const outgoing = sent[index] as Outgoing;
      const { letterhead } = outgoing.envelope;
      if (!task.rehearsal) ways.ended(letterhead.way, wayEndingOf(answer), answer.text);
      const stranger = isStranger(outgoing, answer);
      const judged = settle(sheet, index, letterhead, answer, now, stranger);
      // Its board is that of rehearsals: they go as fast as push services take it that never throttle.
      if (task.rehearsal)
        governor.answered(board, letterhead.channel(), { ...judged, latencyMs: answer.latencyMs });
      else learn(outgoing, answer, judged, stranger);
      giveBack(outgoing);
      unanswered--;
      if (unanswered === 0) onAllAnswered?.();
    },
  };

  /** Of one that was started and is not sent after all. */
  function takeBack(outgoing: Outgoing): void {
    if (!task.rehearsal) {
      const { envelope, channel } = outgoing;
      const sender = { channel, key: envelope.letterhead.key };
      rejections.answered(sender, envelope.isKnown, { outcome: 'unsent', status: 0 });
      ways.ended(envelope.letterhead.way, 'silent', '');
    }
    giveBack(outgoing);
  }

  return {
    /** Sends it, or frees its share of the window. */
    one(outgoing: Outgoing, body: Buffer | null): void {
      const { index, letterhead, path } = outgoing.envelope;
      if (body === null) refuse(sheet, index, letterhead, 'bad-key');
      if (body === null || isStopped(task, now)) {
        takeBack(outgoing);
        return;
      }
      sent[index] = outgoing;
      unanswered++;
      client.post({ origin: letterhead.origin, path, headers: outgoing.headers, body, index }, listener);
    },
    async allAnswered(): Promise<void> {
      if (unanswered > 0) {
        await new Promise<void>((resolve) => {
          onAllAnswered = resolve;
        });
      }
      for (const { envelope, channel } of rejecting) {
        const { index, letterhead, isKnown } = envelope;
        if (rejections.isOwnFault({ channel, key: letterhead.key }, isKnown)) sheet.addStruck(index);
      }
    },
  };
}

function settle(
  sheet: ResultSheet,
  index: number,
  { service, serviceIndex }: Letterhead,
  answer: PushAnswer,
  now: () => number,
  stranger: boolean,
): Judged {
  const { status, latencyMs } = answer;
  const outcome = status === 0 ? 'unreachable' : classifyStatus(status, service);
  const failure = outcome === 'accepted' ? failureCode.none : answer.failure;
  sheet.write(index, { outcome: outcomeCode[outcome], failure, status, serviceIndex, latencyMs });
  if (outcome === 'accepted') return { outcome, retryAfterMs: null };
  const retryAfterMs = answer.retryAfter === null ? null : parseRetryAfter(answer.retryAfter, now());
  // Readers of the same shard must not wait for as long as a stranger's endpoint likes.
  if (retryAfterMs !== null && !stranger) sheet.addRetryAfter(service, retryAfterMs);
  // Every unsubscribed browser has an answer body of its own: those would crowd the others out.
  if (outcome !== 'gone') sheet.addReason(service, status, answer.text);
  return { outcome, retryAfterMs };
}
