/**
 * Every error class of the engine, with what its catcher does. Those of one vendor or protocol stay beside it; a
 * test holds this list complete.
 *
 *   WorkerFailure    below                        the block runs again, or its shard does: by its kind
 *   Http2Error       worker/http/protocol.ts      the connection ends with its code
 *   HpackError       worker/hpack/decoder.ts      becomes an Http2Error
 *   Unavailable      worker/encryption/ffi.ts     another encryption backend is chosen, or the start ends
 *   DatabaseBusy     adapters/postgres/database.ts       as if Postgres were unavailable: the caller tries again
 *   NoPrimary        adapters/postgres/connection.ts     as if Postgres were unavailable: a fail-over passes
 *   PoolerRefused    adapters/postgres/refuse-pooler.ts  the start ends
 *   ReadEnded        adapters/postgres/limited-read.ts   the API answers 503, or nobody is left to answer
 *   ForbiddenName    kit/http/read-json.ts          the listener answers 400
 *   CrowdedBody      kit/http/read-json.ts          the listener answers 413
 *   NotUtf8          kit/http/utf8.ts               the listener answers 400
 *   TooLong          kit/http/lengths.ts            the listener answers 414 or 431
 *   InvalidRequest   kit/http/validation.ts         the listener answers 422, or 404 for a path
 *   KafkaRefused     adapters/kafka/refusals.ts          the start ends; later, nothing connects for a while
 *   LogInRefused     adapters/kafka/log-in/errors.ts     becomes a KafkaRefused
 *   LogInAway        adapters/kafka/log-in/errors.ts     as if Kafka were unavailable: the caller tries again
 *   RecordsRefused   contract/records-refused.ts   the others are published; those are set aside, or answered 503
 *   StepsFailed      contract/concurrency/each-step.ts   each of its causes is logged
 *   SettingsError    contract/settings/settings-error.ts   the start ends, with a line for each setting
 *   TemplateError    notification/personal/grammar.ts  becomes a TextRefused
 *   Cut                 notification/images/jpeg-bits.ts  coded data that a picture needs is not there
 *   TextRefused      notification/texts.ts        the API answers 422, naming the field
 *   CliError         kit/command-line/endings.ts  the command ends, with one line
 */

/** Why a block did not come back from its worker thread. */
export type WorkerFailureKind =
  /** The thread died under the block: what it sent is unknown, so its targets are read again. */
  | 'worker-lost'
  /** The pool holds as many blocks as it may: wait for one to end. */
  | 'pool-full'
  /** The pool was closed, or its deadline cut the block off. */
  | 'pool-closed'
  /** The worker's code threw, or the task cannot be cloned: a defect, and redoing it would fail again. */
  | 'block-failed';

/** With which the worker pool answers the dispatch stage. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
  readonly kind: WorkerFailureKind;

  constructor(kind: WorkerFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Whether the same block may be run again at once. */
const isRepeatable: Readonly<Record<WorkerFailureKind, boolean>> = Object.freeze({
  'worker-lost': true,
  'pool-full': false,
  'pool-closed': false,
  'block-failed': false,
});

export const mayRepeat = (error: unknown): error is WorkerFailure =>
  error instanceof WorkerFailure && isRepeatable[error.kind];

/** The worker's code threw, or the task could not be given to it: nothing was sent. */
export const isDefect = (error: unknown): error is WorkerFailure =>
  error instanceof WorkerFailure && error.kind === 'block-failed';
