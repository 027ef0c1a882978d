import type { ChannelState } from '../contract/channel-state.ts';
import type { StopFlag } from '../contract/concurrency/stop-flag.ts';
import type { Urgency } from '../contract/delivery.ts';
import type { PushService } from '../contract/push-service.ts';
import type { Lane } from '../contract/topics.ts';
import type { Wording } from '../contract/wording.ts';

/**
 * The messages that cross the thread boundary, types only. The main thread sends `ToWorker`, the worker answers
 * with `FromWorker`, or the thread dies and the task's promise rejects.
 */
export type ToWorker = SendBlock | Probe;
export type FromWorker = BlockSent | ProbeAnswer | TaskFailed;

/** Encrypt and send one notification to the targets of one block. */
export interface SendBlock {
  readonly kind: 'send-block';
  /**
   * The targets as Postgres wrote them: a whole `COPY (SELECT seq, endpoint, p256dh, auth, vapid_key_number …)
   * TO STDOUT (FORMAT binary)`, header and trailer included. seq int4, endpoint text, p256dh bytea (65 bytes,
   * uncompressed point), auth bytea (16 bytes), vapid_key_number int2 (may be missing in all rows); with a `wording`
   * also language text and tag_values text, a JSON array.
   * Transferred, not copied.
   */
  readonly targets: Uint8Array<ArrayBuffer>;
  /** Bits of the block (`contract/bitmap.ts`) to send to; rows without their bit are ignored. */
  readonly wanted: Uint8Array;
  readonly notification: NotificationOnWire;
  /** What is said where not everyone gets `notification.plaintext`. Absent: everyone does. */
  readonly wording?: Wording;
  /** Signs for targets that name no key pair. */
  readonly vapid: VapidIdentity;
  /**
   * The app's key pairs by the number that targets name: browsers bind a subscription to one of them. A target
   * of another number is left unsent: its pair is newer than this task. Left out: `vapid` signs for all.
   */
  readonly vapidByNumber?: ReadonlyMap<number, VapidIdentity>;
  /** One Int32 in shared memory; not 0 means: start no further request, finish those in flight. */
  readonly stop: StopFlag;
  /** Milliseconds since the epoch: from then on no request is started. Null: no such time. */
  readonly notAfterMs: number | null;
  /** How far the clock of `notAfterMs` is ahead of this machine's. Left out: not at all. */
  readonly aheadMs?: number;
  /** Whose share of the thread's requests in flight it has. Left out: that of bulk. */
  readonly lane?: Lane;
  /** The app's channels. Absent: nothing is known, and nothing is kept. */
  readonly channelState?: ChannelState;
  /** `seq`s of the block in the order in which they are to be sent. Left out: any order does. */
  readonly order?: Uint32Array<ArrayBuffer>;
  /**
   * The number of targets of `order`, from the first, to send; the others are left for later where their
   * channel is throttled.
   */
  readonly inThisRound?: number;
  /**
   * By push service that limits the app: how many of its targets, the first in order, to send to now. The others are
   * left for another attempt. Absent: no such push service.
   */
  readonly budget?: Readonly<Partial<Record<PushService, number>>>;
  /**
   * Bits of the block whose endpoints accepted a message before: they are trusted about a push service, and the
   * others are on probation beside them. Absent: none did.
   */
  readonly acceptedBefore?: Uint8Array;
  /** Everything but the request: a sink of the thread's own answers instead of the push services. */
  readonly rehearsal: boolean;
}

export interface NotificationOnWire {
  /** UTF-8 JSON, at most 3,993 bytes. */
  readonly plaintext: Uint8Array;
  /** RFC 8030 TTL, 0 to 2,419,200. 0 is a value, not a default. */
  readonly ttlSeconds: number;
  readonly urgency: Urgency;
  /** The publisher's topic as given; hashed on the way out (Apple's rule). Null: no Topic header. */
  readonly topic: string | null;
}

/** RFC 8292. Keys as base64url, the way `web-push` makes them. */
export interface VapidIdentity {
  readonly publicKey: string;
  readonly privateKey: string;
  /** As `isVapidSubject` has it; null: there is none, and nothing may be sent. */
  readonly subject: string | null;
}

/** One entry per selected row, in the order of `SendBlock.targets`. Copied across: 11 bytes a row. */
export interface BlockSent {
  readonly kind: 'block-sent';
  readonly seqs: Uint32Array<ArrayBuffer>;
  /** `outcomeCode` of contract/outcome.ts; `unsent` (0) where the stop flag, the time or a bad row kept it. */
  readonly outcomes: Uint8Array<ArrayBuffer>;
  /** `failureCode` of contract/outcome.ts. */
  readonly failures: Uint8Array<ArrayBuffer>;
  /** HTTP status, 0 where no answer came. */
  readonly statuses: Uint16Array<ArrayBuffer>;
  /** Index into `pushServices` of contract/push-service.ts. */
  readonly services: Uint8Array<ArrayBuffer>;
  /** From hand-over to answer, at most 65,535 ms. */
  readonly latenciesMs: Uint16Array<ArrayBuffer>;
  /** Longest Retry-After seen, per push service, in ms. */
  readonly retryAfterMs: Partial<Record<PushService, number>>;
  /**
   * The reasons push services gave when they rejected, throttled or failed, at most 8 distinct texts of 200
   * characters. Status 0: no answer, and the text is the error's code, 'bad-key', 'bad-vapid-key', an
   * `EndpointRefusal` or, where no subject is left to sign with, a sentence.
   */
  readonly reasons: readonly RefusalReason[];
  /** Targets left `unsent` because their channel is paused or its breaker is open. Left out: none. */
  readonly held?: number;
  /** Targets left `unsent` because others go before them (`inThisRound`). Left out: none. */
  readonly later?: number;
  /** Targets left `unsent` because the budget has no room for them, by push service. Absent: none. */
  readonly budgeted?: Readonly<Partial<Record<PushService, number>>>;
  /** Targets on probation among those left for another attempt. Absent: none. */
  readonly onProbation?: number;
  /** Senders whose bursts were rejected: targets left for these are `unsent`, and wait. Absent: none. */
  readonly pauses?: readonly SenderPause[];
  /** `seq`s whose endpoint is at fault, not its sender (`rejections.ts`, `origin-health.ts`). Absent: none. */
  readonly invalid?: Uint32Array<ArrayBuffer>;
  /** A line threw: what and where, at most 2,000 characters. What was answered is above; the rest is `unsent`. */
  readonly failure?: string;
}

/** A pause: the push service rejects this sender, with this status. */
export interface SenderPause {
  /** Place on the app's `ChannelState`. */
  readonly channel: number;
  readonly service: PushService;
  readonly status: number;
  /** The service's own text, at most 200 characters; empty where another block got it. */
  readonly text: string;
}

export interface RefusalReason {
  readonly service: PushService;
  readonly status: number;
  readonly text: string;
  readonly count: number;
}

/** A bug on the thread's side: the task threw before its first message, the thread lives. Nothing was sent. */
export interface TaskFailed {
  readonly kind: 'failed';
  readonly message: string;
}

/** Test and health tool: reports that the thread's event loop runs, or makes the thread die in a named way. */
export interface Probe {
  readonly kind: 'probe';
  readonly act: 'tick-count' | 'exit' | 'out-of-memory' | 'late-throw' | 'spin' | 'spin-natively';
}

export interface ProbeAnswer {
  readonly kind: 'probe-answer';
  readonly threadId: number;
  /** Timer ticks of a 20 ms interval since the thread was first asked. */
  readonly ticks: number;
}

/** Words of `ThreadStarted.beats`: one goes up by itself while the thread's event loop turns, one with each answer. */
export const heartbeatWord = { beats: 0, answers: 1 } as const;

/** Posted once when a thread starts, outside of any task. */
export interface ThreadStarted {
  readonly kind: 'thread-started';
  readonly threadId: number;
  /** By `heartbeatWord`. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  readonly encryption: 'node' | 'openssl' | 'multibuffer';
  /** One line when another backend than the requested one is used, or when one is present and wrong. */
  readonly warning: string | null;
}

/** Posted outside of any task where our own HTTP/2 gave up on a host: its messages go by undici for a while. */
export interface HostLeft {
  readonly kind: 'host-left';
  readonly threadId: number;
  readonly origin: string;
  /** The code of what ended its connection. */
  readonly why: string;
}

/** `workerData` of every thread: compiled once from config, frozen. */
export interface WorkerOptions {
  /** Sockets per origin and thread. */
  readonly connectionsPerOrigin: number;
  /** Concurrent HTTP/2 streams per socket; the peer may allow fewer. */
  readonly streamsPerConnection: number;
  /** Requests in flight per thread, over all origins; one app has at most half of them at one push service. */
  readonly maxInFlight: number;
  readonly connectTimeoutMs: number;
  /** From the request's start to its answer's headers. */
  readonly answerTimeoutMs: number;
  /** The number of time-outs in a row that destroys a session. */
  readonly deadSessionAfterTimeouts: number;
  /** Origins a thread keeps sockets for; the least recently used one is closed beyond it. */
  readonly maxOrigins: number;
  /** PEM of extra trusted authorities: tests and the demo. */
  readonly extraCa: string | null;
  readonly endpointHosts: readonly string[];
  readonly allowAnyEndpointHost: boolean;
  /** The HTTP client: our own HTTP/2, or undici's. */
  readonly pushTransport: 'own' | 'undici';
  /** Raised: no host's messages go by undici where ours gives up on it. Absent: they do. */
  readonly secondClientShut?: StopFlag;
  /** `auto`: the fastest that the machine has and that passes its self-test. */
  readonly encryptionBackend: 'auto' | ThreadStarted['encryption'];
  /** Path of libcrypto_mb; null: the usual ones. */
  readonly cryptoMbLibrary: string | null;
  /** Whether probes may kill the thread: tests only. */
  readonly allowProbes: boolean;
}
