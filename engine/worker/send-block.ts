import type { ChannelBoard } from '../contract/channel-board.ts';
import { failureCode, type Outcome, outcomeCode } from '../contract/outcome.ts';
import { pushServices } from '../contract/push-service.ts';
import { classifyStatus, parseRetryAfter } from './classify.ts';
import type { EncryptBatch } from './encrypt.ts';
import type { Governor } from './governor.ts';
import { type AddressOf, createAddressOf, type Letterhead } from './letterheads.ts';
import type { BlockSent, ChannelHalt, SendBlock, WorkerOptions } from './protocol.ts';
import type { PushAnswer } from './push-answer.ts';
import type { PushClient } from './push-client.ts';
import { createQueues, type Envelope, placeOfChannel, type Queues } from './queues.ts';
import { tidy } from './reasons.ts';
import { createRejections } from './rejections.ts';
import { createResultSheet, type ResultSheet } from './result-sheet.ts';
import { createTargetCursor, wantedSeqs } from './targets.ts';
import type { Authorize } from './vapid.ts';
import type { Window, Windows } from './window.ts';

/**
 * Messages encrypted between two turns of the event loop, and bodies that wait to be sent: 3 ms in which no answer
 * is read with node:crypto, less with the others. Two whole groups of the multi-buffer library's eight.
 */
const MESSAGES_PER_TURN = 16;

export interface SendBlockDeps {
  readonly options: Pick<WorkerOptions, 'maxInFlight' | 'endpointHosts' | 'allowAnyEndpointHost'>;
  readonly encryptBatch: EncryptBatch;
  readonly authorize: Authorize;
  readonly client: Pick<PushClient, 'post'>;
  /** Answers rehearsals; reaches no network. */
  readonly sink: Pick<PushClient, 'post'>;
  /** Shared by all blocks of the thread. */
  readonly window: Windows;
  readonly governor: Governor;
  readonly random: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Decode, encrypt, send, classify: one outcome per wanted target, in order.
 * @throws Error on targets that are no COPY: a bug; nothing was sent then.
 */
export function createSendBlock(deps: SendBlockDeps): (task: SendBlock) => Promise<BlockSent> {
  const perTurn = Math.min(MESSAGES_PER_TURN, deps.options.maxInFlight);
  const policy = { hosts: deps.options.endpointHosts, allowAnyHost: deps.options.allowAnyEndpointHost };

  return async function sendBlock(task) {
    const board = task.board ?? deps.governor.newBoard();
    const sheet = createResultSheet(wantedSeqs(task.targets, task.wanted));
    const addressOf = createAddressOf(task, board, policy, deps.authorize);
    const isThrottled = (channel: number): boolean => deps.governor.wasThrottled(board, channel);
    const envelopes = readEnvelopes(task, { addressOf, isThrottled }, sheet);
    const laneDeps = { ...deps, window: deps.window.of(task.lane ?? 'bulk') };
    const queues = createQueues(envelopes, sheet, { ...laneDeps, board });
    const post = createPost(task, board, sheet, queues, laneDeps);
    while (!isStopped(task, deps.now)) {
      const batch = queues.take(perTurn);
      if (batch.length === 0) {
        if (queues.isEmpty()) break;
        await queues.changed();
        continue;
      }
      const bodies = deps.encryptBatch(task.notification.plaintext, batch);
      for (const [at, envelope] of batch.entries()) post.one(envelope, bodies[at] ?? null);
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

/** What is known of where the messages go. */
interface Ways {
  readonly addressOf: AddressOf;
  readonly isThrottled: (channel: number) => boolean;
}

/** Reads all targets, in the order of sending; those that will never be sent are settled here and left out. */
function readEnvelopes(task: SendBlock, ways: Ways, sheet: ResultSheet): Envelope[] {
  const envelopes: Envelope[] = [];
  const ranks = task.order === undefined ? null : ranksOf(task.order);
  const inThisRound = task.inThisRound ?? Number.POSITIVE_INFINITY;
  const rankOf: number[] = [];
  const cursor = createTargetCursor(task.targets, task.wanted);
  for (let index = 0; cursor.next(); index++) {
    const address = ways.addressOf(cursor.endpoint(), cursor.vapidKeyNumber());
    if (address.kind === 'refused') {
      refuse(sheet, index, null, address.why);
      continue;
    }
    // Stays unsent: the shard's next lease brings the key pair.
    if (address.kind === 'other-key') continue;
    const { letterhead, path } = address;
    const { headers, channel } = letterhead;
    const halt = task.givenUp?.find((one) => one.channel === channel);
    sheet.writeService(index, letterhead.serviceIndex);
    if (headers === null) refuse(sheet, index, letterhead, whyNotSigned(task));
    else if (halt !== undefined) refuse(sheet, index, letterhead, haltReason(halt));
    else {
      const rank = ranks?.get(cursor.seq()) ?? ranks?.size ?? 0;
      if (rank >= inThisRound && ways.isThrottled(channel)) {
        sheet.addLater();
        continue;
      }
      envelopes.push({ index, letterhead, headers, path, p256dh: cursor.p256dh(), auth: cursor.auth() });
      rankOf[index] = rank;
    }
  }
  if (ranks === null) return envelopes;
  return envelopes.sort((a, b) => (rankOf[a.index] as number) - (rankOf[b.index] as number));
}

const whyNotSigned = ({ vapid }: SendBlock): string =>
  vapid.subject === null
    ? 'not sent: the app’s site is no contact, and VAPID_SUBJECT is not set'
    : 'bad-vapid-key';

const ranksOf = (order: Uint32Array): Map<number, number> =>
  new Map(Array.from(order, (seq, rank) => [seq, rank]));

const haltReason = ({ status, text }: ChannelHalt): string =>
  `not sent, for most before were answered ${status}${text === '' ? '' : `: ${text}`}`;

/** Settles a target that no push service will ever take: nothing was sent. */
function refuse(sheet: ResultSheet, index: number, letterhead: Letterhead | null, why: string): void {
  const serviceIndex = letterhead?.serviceIndex ?? pushServices.indexOf('other');
  const codes = { outcome: outcomeCode.rejected, failure: failureCode.refused };
  sheet.write(index, { ...codes, status: 0, serviceIndex, latencyMs: 0 });
  sheet.addReason(letterhead?.service ?? 'other', 0, why);
}

/** Sends the messages of one block and knows when the last answer is in. */
function createPost(
  task: SendBlock,
  board: ChannelBoard,
  sheet: ResultSheet,
  queues: Queues,
  deps: Omit<SendBlockDeps, 'window'> & { readonly window: Window },
) {
  const { window, governor, now } = deps;
  const client = task.rehearsal ? deps.sink : deps.client;
  const rejections = createRejections();
  /** By index: whose answer to read in which service's way. */
  const letterheads: Letterhead[] = [];
  let unanswered = 0;
  let onAllAnswered: (() => void) | null = null;

  const listener = {
    answered(index: number, answer: PushAnswer) {
      const letterhead = letterheads[index] as Letterhead;
      const { channel } = letterhead;
      const judged = settle(sheet, index, letterhead, answer, now);
      governor.answered(board, channel, { ...judged, latencyMs: answer.latencyMs });
      const halt = rejections.answered(letterhead, answer.status, answer.text);
      if (halt !== null && queues.drop(channel) > 0) sheet.addHalt({ ...halt, text: tidy(halt.text) });
      window.give(placeOfChannel(board, channel));
      unanswered--;
      if (unanswered === 0) onAllAnswered?.();
    },
  };

  return {
    /** Sends it, or gives its place in the window back. */
    one({ index, letterhead, headers, path }: Envelope, body: Buffer | null): void {
      if (body === null) refuse(sheet, index, letterhead, 'bad-key');
      if (body === null || isStopped(task, now)) {
        window.give(placeOfChannel(board, letterhead.channel));
        return;
      }
      letterheads[index] = letterhead;
      unanswered++;
      client.post({ origin: letterhead.origin, path, headers, body, index }, listener);
    },
    async allAnswered(): Promise<void> {
      if (unanswered === 0) return;
      await new Promise<void>((resolve) => {
        onAllAnswered = resolve;
      });
    },
  };
}

function settle(
  sheet: ResultSheet,
  index: number,
  { service, serviceIndex }: Letterhead,
  answer: PushAnswer,
  now: () => number,
): Judged {
  const { status, latencyMs } = answer;
  const outcome = status === 0 ? 'unreachable' : classifyStatus(status, service);
  const failure = outcome === 'accepted' ? failureCode.none : answer.failure;
  sheet.write(index, { outcome: outcomeCode[outcome], failure, status, serviceIndex, latencyMs });
  if (outcome === 'accepted') return { outcome, retryAfterMs: null };
  const retryAfterMs = answer.retryAfter === null ? null : parseRetryAfter(answer.retryAfter, now());
  if (retryAfterMs !== null) sheet.addRetryAfter(service, retryAfterMs);
  // Every browser that left has a body of its own to say so: those would crowd the others out.
  if (outcome !== 'gone') sheet.addReason(service, status, answer.text);
  return { outcome, retryAfterMs };
}
