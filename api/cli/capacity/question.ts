import type { EncryptionName } from './measured-costs.ts';

export interface Question {
  readonly readers: number;
  /** From the create request until the last message is handed to its push service. */
  readonly seconds: number;
  readonly encryption: EncryptionName;
  /** How late push services answer. */
  readonly latencyMs: number;
  /** Cores of a machine with one engine; an engine has a thread for each. */
  readonly engineCores: number;
  /** Streaming replicas that targets are read from. */
  readonly replicas: number;
  /** Cores of the largest machine that Postgres may have. */
  readonly postgresCores: number;
  readonly pushServices: readonly PushServiceLimit[];
}

export interface PushServiceLimit {
  readonly name: string;
  /** Of the readers, 0 to 1. */
  readonly share: number;
  /** That it takes of this sender. */
  readonly perSecond: number;
}
