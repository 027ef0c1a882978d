import { type Clock, pause } from '../../../engine/contract/concurrency/clock.ts';
import { failureCode } from '../../../engine/contract/outcome.ts';
import type { Lane } from '../../../engine/contract/topics.ts';
import { isDefect, WorkerFailure } from '../../../engine/dispatch/errors.ts';
import { createGovernor, governorOptions } from '../../../engine/worker/governor.ts';
import { createOrigins } from '../../../engine/worker/origin-health.ts';
import { createProbation } from '../../../engine/worker/probation.ts';
import type { BlockSent, SendBlock } from '../../../engine/worker/protocol.ts';
import type { PushAnswer } from '../../../engine/worker/push-answer.ts';
import type { PushClient } from '../../../engine/worker/push-client.ts';
import { createSendBlock, type SendBlockDeps } from '../../../engine/worker/send-block.ts';
import { createTargetCursor } from '../../../engine/worker/targets.ts';
import { createWindow, type Window, type Windows } from '../../../engine/worker/window.ts';
import { type Defects, withDefects } from './defects.ts';
import type { Process } from './process.ts';
import { type Answer, type PushServices, type Sending, seqOf } from './push-service.ts';
import type { Random } from './random.ts';

/** The worker threads of a process, as one: all of it dies at once. */
export interface Threads {
  die(): void;
  sendBlock(task: SendBlock, sending: Sending): Promise<BlockSent>;
}

export interface ThreadsDeps {
  readonly process: Process;
  readonly services: PushServices;
  readonly random: Random;
  readonly defects: Defects;
  /** Decides which line throws. */
  readonly throws: Random;
  readonly maxInFlight?: number | undefined;
  /** A build with that fault: a block that throws keeps what it has taken of the window. */
  readonly keepsPermits?: boolean;
}

/** A thread with what it remembers of push services, and the news of its death. */
interface Thread {
  readonly parts: Omit<SendBlockDeps, 'client' | 'sink'>;
  readonly death: Promise<never>;
  isDead: boolean;
  die(): void;
}

const ANSWER_TIMEOUT_MS = 10_000;

/** Sends blocks as the engine's own threads do, except for encryption and sockets. */
export function createThreads(deps: ThreadsDeps): Threads {
  let thread = createThread(deps);
  return {
    die: () => {
      thread.die();
      thread = createThread(deps);
    },
    sendBlock: async (task, sending) => {
      const on = thread;
      const sink = { post: postTo(deps, on, () => takenBySink) };
      const client = { post: postTo(deps, on, (endpoint) => ask(deps, sending, endpoint)) };
      const sent = createSendBlock({ ...withDefects(on.parts, deps.defects, deps.throws), client, sink })(
        task,
      )
        // As the pool reports what a thread's entry has caught.
        .catch((error: Error) => {
          throw new WorkerFailure('block-failed', error.message);
        });
      try {
        return await Promise.race([sent, on.death]);
      } catch (error) {
        await deps.process.runs();
        sending.fate = isDefect(error) && sending.asked.size === 0 ? 'unsent' : 'thread';
        throw error;
      }
    },
  };
}

function createThread({ process, random, defects, keepsPermits, maxInFlight: given }: ThreadsDeps): Thread {
  const { clock } = process;
  const maxInFlight = given ?? random.int(2, 10);
  const options = {
    ...{ maxInFlight, answerTimeoutMs: ANSWER_TIMEOUT_MS, endpointHosts: [], allowAnyEndpointHost: true },
    ...{ connectionsPerOrigin: 1, streamsPerConnection: maxInFlight },
  };
  const { promise: death, reject } = Promise.withResolvers<never>();
  // Most threads die while no call waits for them.
  death.catch(() => {});
  const thread: Thread = {
    parts: {
      ...{ options, encryptBatch: encryptNothing, authorize: () => 'vapid', random: random.next, clock },
      governor: createGovernor(governorOptions(options), clock.now, random.next),
      window: keepsPermits ? keeping(createWindow(maxInFlight), defects) : createWindow(maxInFlight),
      probation: createProbation(),
      origins: createOrigins(clock.now, random.next),
      now: process.wallMs,
    },
    death,
    isDead: false,
    die: () => {
      thread.isDead = true;
      reject(new WorkerFailure('worker-lost', 'the worker thread died under the block'));
    },
  };
  return thread;
}

function keeping(windows: Windows, defects: Defects): Windows {
  const kept = (lane: Lane): Window => {
    const window = windows.of(lane);
    return { ...window, give: (channel) => (defects.chance > 0 ? undefined : window.give(channel)) };
  };
  return { ...windows, of: kept };
}

const encryptNothing: SendBlockDeps['encryptBatch'] = (_plaintext, keys) => keys.map(() => Buffer.alloc(0));

/** A request arrives before its answer is known; of a dead thread neither is. */
function postTo(
  { process, random }: ThreadsDeps,
  thread: Thread,
  answerOf: (endpoint: string) => Answer,
): PushClient['post'] {
  return ({ origin, path, index }, listener) => {
    if (thread.isDead) return;
    const { clock } = process;
    const startedAtMs = clock.now();
    const answer = answerOf(origin + path);
    void takeTime(clock, random).then(async () => {
      await process.runs();
      if (!thread.isDead) listener.answered(index, toPushAnswer(answer, clock.now() - startedAtMs));
    });
  };
}

const takeTime = (clock: Clock, random: Random): Promise<void> =>
  pause(clock, random.chance(0.03) ? random.int(500, 5_000) : random.int(5, 500));

function ask({ services }: ThreadsDeps, sending: Sending, endpoint: string): Answer {
  const answer = services.answer(endpoint);
  const seq = seqOf(endpoint);
  sending.asked.set(seq, answer.outcome);
  if (answer.delivered) sending.copies.push({ seq, known: answer.outcome === 'accepted' });
  return answer;
}

/** The answers of a rehearsal's sink: no push service is called. */
const takenBySink: Answer = {
  ...{ outcome: 'accepted', failure: 'none', status: 201, retryAfterSeconds: null },
  ...{ unconnected: null, delivered: false },
};

function toPushAnswer(answer: Answer, latencyMs: number): PushAnswer {
  const { status, failure, unconnected, retryAfterSeconds } = answer;
  return {
    ...{ status, latencyMs, failure: failureCode[failure] },
    ...{ connected: unconnected === null, text: unconnected ?? '' },
    retryAfter: retryAfterSeconds === null ? null : String(retryAfterSeconds),
  };
}

/** Of a block with a target at least: no other one is sent. */
export function firstSeqOf(task: SendBlock): number {
  const cursor = createTargetCursor(task.targets, task.wanted);
  return cursor.next() ? cursor.seq() : 0;
}
