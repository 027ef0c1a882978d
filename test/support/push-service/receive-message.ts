import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { type Answer, isGone } from './answer.ts';
import { BODY_START_BYTES, type CheckRequest, MAX_BODY_BYTES } from './check-request.ts';
import { type DecisiveAction, isRefusal } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { Cause } from './ledger-entry.ts';
import type { MatchedFault, MatchFaults } from './match-faults.ts';
import type { MessageMemory } from './message-memory.ts';
import type { ServiceKind } from './options.ts';
import type { Reading, ReadMessage } from './read-message.ts';
import { refusalStatus, serviceManners } from './services.ts';
import type { SilentPushes } from './silent-pushes.ts';
import type { EndpointOwner, SubscriberFactory } from './subscriber.ts';

export interface ReceiveDeps {
  /** Position of the origin. */
  readonly number: number;
  readonly kind: ServiceKind;
  readonly subscribers: SubscriberFactory;
  readonly checkRequest: CheckRequest;
  readonly faults: MatchFaults;
  readonly answer: Answer;
  readonly ledger: Ledger;
  readonly reader: ReadMessage;
  readonly memory: MessageMemory;
  readonly silentPushes: SilentPushes;
}

export type ReceiveMessage = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** A message while it is on its way through. */
interface Arrival {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly owner: EndpointOwner | null;
  readonly fault: MatchedFault | null;
}

interface Body {
  readonly bytes: number;
  /** The beginning, or all of it where the message will be read. Null: no body. */
  readonly kept: Buffer | null;
}

const unread: Reading = Object.freeze({ kind: 'unread' });

/**
 * Takes one message from its headers to its answer, and enters what became of it in the ledger, always
 * before the answer: arrive → (disowned) | body → (refused) | delay → conclude. Only here is it decided
 * what counts.
 */
export function createReceiveMessage(deps: ReceiveDeps): ReceiveMessage {
  const { answer, kind, ledger, memory, number, reader, silentPushes } = deps;

  function receiveMessage(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', ignore);
    const owner = deps.subscribers.identify(number, headers[':path'] ?? '');
    if (answer.isDisowned(stream)) {
      enter({ owner }, 0, 'goaway', false);
      return;
    }
    const fault = owner === null ? null : matchFault(stream, owner.index);
    const action = fault?.action ?? null;
    if (action !== null && isRefusal(action)) {
      enter({ owner }, 0, action.kind, false);
      answer.disown(stream, action);
      return;
    }
    // Streams opened before this moment are finished, this one included.
    if (action?.kind === 'goaway') stream.session?.close();
    const keepBytes = owner !== null && reader.samples(owner.index) ? MAX_BODY_BYTES : BODY_START_BYTES;
    const collect = (): void =>
      collectBody(stream, keepBytes, (body) => takeBody({ stream, headers, owner, fault }, body));
    if (action?.kind === 'slow-read') setTimeout(collect, action.ms);
    else collect();
  }

  function matchFault(stream: ServerHttp2Stream, index: number): MatchedFault | null {
    const attempt = ledger.receivedOf(index) + 1;
    return deps.faults.match({ index, service: kind, attempt, firstOnConnection: stream.id === 1 });
  }

  function takeBody(arrival: Arrival, body: Body): void {
    const { headers, owner, fault, stream } = arrival;
    const checked = deps.checkRequest({ headers, owner, bodyBytes: body.bytes, bodyStart: body.kept });
    const isSilenced = owner !== null && silentPushes.hasEnded(owner.index);
    const refusal = checked === null && isSilenced ? 'silent-pushes' : checked;
    if (refusal !== null) {
      const status = refusalStatus[refusal];
      enter(arrival, status, refusal, false);
      answer.refuse(stream, status, refusal);
    } else if (fault === null || fault.delayMs === 0) conclude(arrival, body);
    else setTimeout(conclude, fault.delayMs, arrival, body);
  }

  /** Counts as late as possible: a sender that left during a delay got no acceptance. */
  function conclude(arrival: Arrival, body: Body): void {
    const { stream, fault } = arrival;
    const action = fault?.action ?? null;
    if (isGone(stream)) {
      enter(arrival, 0, 'sender-left', false);
      return;
    }
    const status = statusOf(kind, action);
    const answersAccepted = status >= 200 && status < 300;
    const accepted = answersAccepted || fault?.afterAccept === true;
    enter(arrival, status, action?.kind ?? 'none', accepted, accepted ? read(arrival, body) : unread);
    if (action === null || (answersAccepted && action.kind !== 'slow-body')) answer.accept(stream, status);
    else answer.act(stream, action, status);
  }

  function read({ headers, owner }: Arrival, body: Body): Reading {
    if (owner === null || body.kept === null || !reader.samples(owner.index)) return unread;
    const reading = reader.read(owner.index, body.kept);
    if (reading.kind === 'read') memory.keep(owner.index, headers, reading);
    silentPushes.note(owner.index, reading);
    return reading;
  }

  function enter(
    { owner }: Pick<Arrival, 'owner'>,
    status: number,
    cause: Cause,
    accepted: boolean,
    reading = unread,
  ): void {
    ledger.record({ index: owner?.index ?? -1, origin: number, status, cause, accepted, reading });
  }

  return receiveMessage;
}

const ignore = (): void => {};

/** 0: no answer. */
function statusOf(kind: ServiceKind, action: DecisiveAction | null): number {
  if (action === null || action.kind === 'goaway' || action.kind === 'slow-read') return 201;
  if (action.kind === 'status' || action.kind === 'slow-body') return action.status;
  return action.kind === 'throttle' ? serviceManners[kind].throttledStatus : 0;
}

/** Calls `done` once, when the body ended. What is over `keepBytes` is read too, but mostly not kept. */
function collectBody(stream: ServerHttp2Stream, keepBytes: number, done: (body: Body) => void): void {
  let kept: Buffer | null = null;
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    // A TLS record may end anywhere, after the third byte of a body too.
    if (kept === null) kept = chunk;
    else if (bytes < keepBytes) kept = Buffer.concat([kept, chunk]);
    bytes += chunk.length;
  });
  stream.on('end', () => done({ bytes, kept }));
}
