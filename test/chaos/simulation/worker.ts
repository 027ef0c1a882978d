import { pause } from '../../../engine/contract/clock.ts';
import { failureCode, outcomeCode } from '../../../engine/contract/outcome.ts';
import { pushServices } from '../../../engine/contract/push-service.ts';
import type { BlockSent, SendBlock } from '../../../engine/worker/protocol.ts';
import { createTargetCursor } from '../../../engine/worker/targets.ts';
import type { Process } from './process.ts';
import type { Answer, PushServices, Sending } from './push-service.ts';
import type { Random } from './random.ts';

/** The worker threads of a process: how often they died, so that who was sending meanwhile knows. */
export interface Threads {
  died: number;
}

export interface WorkerDeps {
  readonly process: Process;
  readonly threads: Threads;
  readonly services: PushServices;
  readonly random: Random;
}

/** What the sink of a rehearsal answers: no push service hears of it. */
const takenBySink: Answer = {
  ...{ outcome: 'accepted', failure: 'none', status: 201 },
  ...{ service: 0, retryAfterMs: 0, delivered: false },
};

class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}

/** Sends a block as a thread would: a few requests at a time, each of which arrives before its answer is known. */
export async function sendAsWorker(deps: WorkerDeps, task: SendBlock, sending: Sending): Promise<BlockSent> {
  const { process, threads, services, random } = deps;
  const diedBefore = threads.died;
  const targets = readTargets(task);
  const answers: (Answer | null)[] = [];
  const atOnce = random.int(1, 5);
  const slow = random.chance(0.05);
  while (answers.length < targets.length) {
    const stopped =
      Atomics.load(task.stop, 0) !== 0 ||
      process.wallMs() + (task.aheadMs ?? 0) >= (task.notAfterMs ?? Number.POSITIVE_INFINITY);
    for (const { seq, endpoint } of targets.slice(answers.length, answers.length + atOnce)) {
      const answer = stopped ? null : task.rehearsal ? takenBySink : services.answer(endpoint);
      if (answer?.delivered) sending.copies.push({ seq, known: answer.outcome === 'accepted' });
      answers.push(answer);
    }
    await pause(process.clock, slow ? random.int(500, 5_000) : random.int(5, 500));
    await process.runs();
    if (threads.died !== diedBefore) {
      sending.fate = 'thread';
      throw new WorkerLost('the worker thread died under the block');
    }
  }
  return blockSent(
    targets.map(({ seq }) => seq),
    answers,
  );
}

/** Of a block with a target at least: no other one is sent. */
export const firstSeqOf = (task: SendBlock): number => readTargets(task)[0]?.seq ?? 0;

function readTargets(task: SendBlock): { readonly seq: number; readonly endpoint: string }[] {
  const cursor = createTargetCursor(task.targets, task.wanted);
  const targets: { seq: number; endpoint: string }[] = [];
  while (cursor.next()) targets.push({ seq: cursor.seq(), endpoint: cursor.endpoint() });
  return targets;
}

function blockSent(seqs: readonly number[], answers: readonly (Answer | null)[]): BlockSent {
  const retryAfterMs: BlockSent['retryAfterMs'] = {};
  for (const answer of answers) {
    const service = pushServices[answer?.service ?? 0] ?? 'other';
    if (answer !== null && answer.retryAfterMs > 0)
      retryAfterMs[service] = Math.max(retryAfterMs[service] ?? 0, answer.retryAfterMs);
  }
  return {
    kind: 'block-sent',
    seqs: Uint32Array.from(seqs),
    outcomes: Uint8Array.from(answers, (answer) => outcomeCode[answer?.outcome ?? 'unsent']),
    failures: Uint8Array.from(answers, (answer) => failureCode[answer?.failure ?? 'none']),
    statuses: Uint16Array.from(answers, (answer) => answer?.status ?? 0),
    services: Uint8Array.from(answers, (answer) => answer?.service ?? 0),
    latenciesMs: new Uint16Array(seqs.length),
    retryAfterMs,
    reasons: [],
  };
}
