import { failureCode, outcomeCode } from '../contract/outcome.ts';
import { pushServices } from '../contract/push-service.ts';
import { classifyStatus, parseRetryAfter } from './classify.ts';
import type { EncryptBatch, SubscriptionKeys } from './encrypt.ts';
import { type AddressOf, createAddressOf, type Letterhead } from './letterheads.ts';
import type { BlockSent, SendBlock, WorkerOptions } from './protocol.ts';
import type { PushAnswer } from './push-answer.ts';
import type { PushClient } from './push-client.ts';
import { createResultSheet, type ResultSheet } from './result-sheet.ts';
import { createTargetCursor, type TargetCursor, wantedSeqs } from './targets.ts';
import type { Authorize } from './vapid.ts';
import type { Window } from './window.ts';

/** Messages encrypted between two turns of the event loop: some 2 ms in which no answer is read. */
const MESSAGES_PER_TURN = 16;

export interface SendBlockDeps {
  readonly options: Pick<WorkerOptions, 'maxInFlight' | 'endpointHosts' | 'allowAnyEndpointHost'>;
  readonly encryptBatch: EncryptBatch;
  readonly authorize: Authorize;
  readonly client: PushClient;
  /** Shared by all blocks of the thread. */
  readonly window: Window;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A message of the batch in hand: which entry of the block it is, and where it goes. */
interface Envelope extends SubscriptionKeys {
  readonly index: number;
  readonly letterhead: Letterhead;
  readonly headers: string[];
  readonly path: string;
}

/**
 * Decode, encrypt, send, classify: one outcome per wanted target, in order.
 * @throws Error on targets that are no COPY: a bug; nothing was sent then.
 */
export function createSendBlock(deps: SendBlockDeps): (task: SendBlock) => Promise<BlockSent> {
  const perTurn = Math.min(MESSAGES_PER_TURN, deps.options.maxInFlight);
  const policy = { hosts: deps.options.endpointHosts, allowAnyHost: deps.options.allowAnyEndpointHost };

  return async function sendBlock(task) {
    const seqs = wantedSeqs(task.targets, task.wanted);
    const sheet = createResultSheet(seqs);
    const cursor = createTargetCursor(task.targets, task.wanted);
    const addressOf = createAddressOf(task, policy, deps.authorize);
    const post = createPost(task, sheet, deps);
    for (let index = 0; index < seqs.length && !isStopped(task, deps.now); index += perTurn) {
      const count = Math.min(perTurn, seqs.length - index);
      await deps.window.take(count);
      const batch = readBatch(cursor, addressOf, sheet, index, count);
      const bodies = deps.encryptBatch(task.notification.plaintext, batch);
      const posted = batch.filter((envelope, at) => post.one(envelope, bodies[at] ?? null));
      deps.window.give(count - posted.length);
      await nextTurn();
    }
    await post.allAnswered();
    return sheet.toBlockSent();
  };
}

const isStopped = ({ stop, notAfterMs }: SendBlock, now: () => number): boolean =>
  Atomics.load(stop, 0) !== 0 || (notAfterMs !== null && now() >= notAfterMs);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads `count` targets; those without a usable address are settled here and left out. */
function readBatch(
  cursor: TargetCursor,
  addressOf: AddressOf,
  sheet: ResultSheet,
  from: number,
  count: number,
): Envelope[] {
  const batch: Envelope[] = [];
  for (let index = from; index < from + count && cursor.next(); index++) {
    const address = addressOf(cursor.endpoint());
    if (address.kind === 'refused') {
      refuse(sheet, index, null, address.why);
      continue;
    }
    const { letterhead, path } = address;
    const { headers } = letterhead;
    if (headers === null) refuse(sheet, index, letterhead, 'bad-vapid-key');
    else batch.push({ index, letterhead, headers, path, p256dh: cursor.p256dh(), auth: cursor.auth() });
  }
  return batch;
}

/** Settles a target that no push service will ever take: nothing was sent. */
function refuse(sheet: ResultSheet, index: number, letterhead: Letterhead | null, why: string): void {
  const serviceIndex = letterhead?.serviceIndex ?? pushServices.indexOf('other');
  const codes = { outcome: outcomeCode.rejected, failure: failureCode.refused };
  sheet.write(index, { ...codes, status: 0, serviceIndex, latencyMs: 0 });
  sheet.addReason(letterhead?.service ?? 'other', 0, why);
}

/** Sends the messages of one block and knows when the last answer is in. */
function createPost(task: SendBlock, sheet: ResultSheet, deps: SendBlockDeps) {
  /** By index: whose answer to read in which service's way. */
  const letterheads: Letterhead[] = [];
  let unanswered = 0;
  let onAllAnswered: (() => void) | null = null;

  const listener = {
    answered(index: number, answer: PushAnswer) {
      settle(sheet, index, letterheads[index] as Letterhead, answer, deps.now);
      deps.window.give(1);
      unanswered--;
      if (unanswered === 0) onAllAnswered?.();
    },
  };

  return {
    /** @returns whether it went out, and so holds its place in the window until it is answered. */
    one({ index, letterhead, headers, path }: Envelope, body: Buffer | null): boolean {
      if (body === null) refuse(sheet, index, letterhead, 'bad-key');
      if (body === null || isStopped(task, deps.now)) return false;
      letterheads[index] = letterhead;
      unanswered++;
      deps.client.post({ origin: letterhead.origin, path, headers, body, index }, listener);
      return true;
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
): void {
  const { status, latencyMs } = answer;
  const outcome = status === 0 ? 'unreachable' : classifyStatus(status, service);
  const failure = outcome === 'accepted' ? failureCode.none : answer.failure;
  sheet.write(index, { outcome: outcomeCode[outcome], failure, status, serviceIndex, latencyMs });
  if (outcome === 'accepted') return;
  const retryAfterMs = answer.retryAfter === null ? null : parseRetryAfter(answer.retryAfter, now());
  if (retryAfterMs !== null) sheet.addRetryAfter(service, retryAfterMs);
  // Every browser that left has a body of its own to say so: those would crowd the others out.
  if (outcome !== 'gone') sheet.addReason(service, status, answer.text);
}
