import { createBackOff } from '../../contract/concurrency/back-off.ts';
import { type Explained, explain } from './explain.ts';
import type { KafkaSettings } from './options.ts';

/** The brokers answer, and will answer the same until somebody changes something. `message` says what. */
export class KafkaRefused extends Error {
  /** For the command line: a line is enough, its stack tells nothing. */
  readonly code = 'KAFKA_REFUSED';
  constructor(explained: Explained, cause: unknown) {
    super(explained.line, { cause });
    this.name = 'KafkaRefused';
  }
}

/**
 * One for all connections of a log. When the brokers refuse its certificates or credentials, as after a rotation
 * or a revocation, each new connection would be refused as well: nothing connects until a back-off has passed,
 * and what is asked meanwhile is rejected at once. Connections that were let in earlier go on.
 */
export interface Refusals {
  /** How long no connection may be made, in ms. */
  waitMs(): number;
  /** @throws KafkaRefused while no connection may be made. */
  check(): void;
  /** @returns the error to reject with: in our words where there are any. */
  explained(error: unknown): unknown;
  /** A connection was let in. */
  accepted(): void;
  /** From now on the log hears of them; before, whoever opens it gets the error. */
  speak(): void;
}

const FIRST_PAUSE_MS = 500;
/** While it lasts, a line says it again. */
const REMIND_AFTER_MS = 60_000;
/** They name topics and brokers, which are few. */
const MAX_LINES = 100;

export function createRefusals(settings: KafkaSettings): Refusals {
  const { clock, logger } = settings;
  const backOff = createBackOff(FIRST_PAUSE_MS, settings.maxRefusalPauseMs);
  const saidAt = new Map<string, number>();
  let refusal: KafkaRefused | null = null;
  let nextAt = 0;
  let speaks = false;

  const waitMs = (): number => (refusal === null ? 0 : Math.max(0, nextAt - clock.now()));

  /** Each connection and each request that fails would say it. */
  function say(line: string): void {
    const now = clock.now();
    if (!speaks || now - (saidAt.get(line) ?? Number.NEGATIVE_INFINITY) < REMIND_AFTER_MS) return;
    if (saidAt.size >= MAX_LINES) saidAt.clear();
    saidAt.set(line, now);
    logger('error', line, {});
  }

  /** The connections of one moment are refused one after the other: together they are one refusal. */
  function refuse(refused: KafkaRefused): void {
    if (waitMs() === 0) nextAt = clock.now() + backOff.next();
    refusal = refused;
  }

  return {
    waitMs,
    check: () => {
      if (refusal !== null && waitMs() > 0) throw refusal;
    },
    explained: (error) => {
      if (error instanceof KafkaRefused) return error;
      const explained = explain(error, settings);
      if (explained === null) return error;
      if (explained.kind === 'away') return new Error(`Kafka: ${explained.line}`, { cause: error });
      const refused = new KafkaRefused(explained, error);
      if (explained.kind === 'refused') refuse(refused);
      say(explained.line);
      return refused;
    },
    accepted: () => {
      if (refusal === null) return;
      if (saidAt.delete(refusal.message)) logger('info', 'Kafka lets connections in again', {});
      refusal = null;
      backOff.reset();
    },
    speak: () => {
      speaks = true;
    },
  };
}
