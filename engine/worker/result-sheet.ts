import { outcomeCode } from '../contract/outcome.ts';
import type { PushService } from '../contract/push-service.ts';
import { describeError } from './describe-error.ts';
import type { BlockSent, SenderPause } from './protocol.ts';
import { createReasons } from './reasons.ts';

const MAX_LATENCY_MS = 65_535;

export interface Result {
  readonly outcome: number;
  readonly failure: number;
  readonly status: number;
  readonly serviceIndex: number;
  readonly latencyMs: number;
}

/** Gathers the results of a block's targets, in order; targets without a result stay `unsent`. */
export interface ResultSheet {
  write(index: number, result: Result): void;
  addReason(service: PushService, status: number, text: string): void;
  addRetryAfter(service: PushService, ms: number): void;
  /** Whose target it is, also where it stays unsent. */
  writeService(index: number, serviceIndex: number): void;
  addHeld(count: number): void;
  addLater(): void;
  /** The budget of its push service has no room for it. */
  addBudgeted(service: PushService): void;
  /** Left for another attempt, and on probation. */
  addOnProbation(count: number): void;
  /** Once a push service and status: the first with a text stays. */
  addPause(pause: SenderPause): void;
  /** The endpoint is at fault. */
  addInvalid(index: number): void;
  /** A line threw: what has a result keeps it, and the rest stays unsent. The first error is the one that is told. */
  fail(error: unknown): void;
  hasFailed(): boolean;
  toBlockSent(): BlockSent;
}

export function createResultSheet(seqs: Uint32Array<ArrayBuffer>): ResultSheet {
  const count = seqs.length;
  const codes = () => new Uint8Array(count);
  const [outcomes, failures, services] = [codes(), codes(), codes()];
  const [statuses, latenciesMs] = [new Uint16Array(count), new Uint16Array(count)];
  const retryAfterMs: Partial<Record<PushService, number>> = {};
  const reasons = createReasons();
  const pauses = new Map<string, SenderPause>();
  const invalid: number[] = [];
  const budgeted: Partial<Record<PushService, number>> = {};
  let held = 0;
  let later = 0;
  let onProbation = 0;
  let failure: string | null = null;
  outcomes.fill(outcomeCode.unsent);

  return {
    write(index, result) {
      outcomes[index] = result.outcome;
      failures[index] = result.failure;
      statuses[index] = result.status;
      services[index] = result.serviceIndex;
      latenciesMs[index] = Math.min(result.latencyMs, MAX_LATENCY_MS);
    },
    addReason: reasons.add,
    addRetryAfter(service, ms) {
      retryAfterMs[service] = Math.max(retryAfterMs[service] ?? 0, ms);
    },
    writeService(index, serviceIndex) {
      services[index] = serviceIndex;
    },
    addHeld(count) {
      held += count;
    },
    addLater() {
      later++;
    },
    addBudgeted(service) {
      budgeted[service] = (budgeted[service] ?? 0) + 1;
    },
    addOnProbation(count) {
      onProbation += count;
    },
    addPause(pause) {
      const key = `${pause.service} ${pause.status}`;
      if ((pauses.get(key)?.text ?? '') === '') pauses.set(key, pause);
    },
    addInvalid(index) {
      invalid.push(seqs[index] as number);
    },
    fail(error) {
      failure ??= describeError(error);
    },
    hasFailed: () => failure !== null,
    toBlockSent: () => ({
      kind: 'block-sent',
      seqs,
      outcomes,
      failures,
      statuses,
      services,
      latenciesMs,
      retryAfterMs,
      reasons: reasons.list(),
      held,
      later,
      budgeted,
      pauses: [...pauses.values()],
      invalid: Uint32Array.from(invalid),
      onProbation,
      ...(failure === null ? {} : { failure }),
    }),
  };
}
