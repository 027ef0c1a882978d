import type { EncryptionSetting } from '../../engine/worker/encryption/choose.ts';
import type { WorkerOptions } from '../../engine/worker/protocol.ts';
import type { Output } from '../report/report.ts';
import type { LogName } from '../stand/broker.ts';
import type { TextKind } from './texts.ts';

export type Transport = WorkerOptions['pushTransport'];

/** @param given as on the command line. */
export const transportsOf = (given: Transport | 'both'): readonly Transport[] =>
  given === 'both' ? ['own', 'undici'] : [given];

export interface FlowOptions {
  /** One stand a figure: memory and cost are compared between them. */
  readonly subscribers: readonly number[];
  readonly workers: number | null;
  readonly streams: number | null;
  readonly connections: number | null;
  readonly latencyMs: number;
  readonly log: LogName;
  readonly kafkaBrokers: string | null;
  /** Deliveries to each audience; the first warms up and is not counted. */
  readonly rounds: number;
  /** One more delivery at the end, of which every thread takes a CPU profile: not counted either. */
  readonly profile: boolean;
  /** `ENCRYPTION_BACKEND`s, each measured at every audience, one after the other in this run. */
  readonly encryption: readonly EncryptionSetting[];
  readonly cryptoMbLibrary: string | null;
  /** `PUSH_TRANSPORT`s, each measured with every backend, their rounds in turns. */
  readonly transports: readonly Transport[];
  /** What the deliveries say, their rounds in turns on the same readers. */
  readonly texts: readonly TextKind[];
  readonly output: Output;
}
