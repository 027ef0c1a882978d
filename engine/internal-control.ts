import type { EngineState } from './adapters/telemetry/metric-register.ts';
import type { DispatchStage } from './dispatch/stage.ts';
import type { PlanStage } from './plan/stage.ts';

/**
 * What an operator makes of one engine, until it is started again: nothing of it is kept.
 *
 *     running ──pause──► pausing ──► paused        no more shards; those in hand run to their end; plans on
 *        ▲  └───drain──► draining ─► drained       as paused, no plans, and shards in hand are handed back
 *        └─── resuming ◄──resume── paused, drained
 *
 * The newest wish wins: one that is reversed while it is carried out is carried out first. The relay, the
 * scheduler and record go on in every state, so that what is known reaches everybody.
 */
export interface EngineControl {
  state(): EngineState;
  shardsInHand(): number;
  pause(): void;
  resume(): void;
  drain(): void;
  /** Drained for good, within the deadline. */
  close(deadlineMs: number): Promise<void>;
}

type Rest = 'running' | 'paused' | 'drained';

export interface ControlDeps {
  /** Stages that were closed do not start again: these make new ones. */
  readonly createDispatch: () => DispatchStage;
  readonly createPlan: () => PlanStage;
  readonly shardsInHand: () => number;
  /** For shards in hand to end by themselves; they end later where that is not enough. */
  readonly finishMs: number;
  readonly drainMs: number;
  readonly onState: (state: EngineState) => void;
  readonly onError: (error: unknown) => void;
}

const onTheWay: Readonly<Record<Rest, EngineState>> = {
  running: 'resuming',
  paused: 'pausing',
  drained: 'draining',
};

/** @throws whatever the stages' first start throws. */
export async function startEngineControl(deps: ControlDeps): Promise<EngineControl> {
  let dispatch: DispatchStage | null = null;
  let plan: PlanStage | null = null;
  let wanted: Rest = 'running';
  let moving: Promise<void> | null = null;

  const at = (): Rest => (dispatch !== null ? 'running' : plan !== null ? 'paused' : 'drained');
  const state = (): EngineState => (moving === null ? at() : onTheWay[wanted]);

  async function openPlan(): Promise<void> {
    if (plan !== null) return;
    const stage = deps.createPlan();
    await stage.start();
    plan = stage;
  }

  async function openDispatch(): Promise<void> {
    if (dispatch !== null) return;
    const stage = deps.createDispatch();
    await stage.start();
    dispatch = stage;
  }

  async function closeBoth(deadlineMs: number): Promise<void> {
    await Promise.all([plan?.close(deadlineMs), dispatch?.close(deadlineMs)]);
    plan = null;
    dispatch = null;
  }

  async function moveTo(rest: Rest): Promise<void> {
    if (rest === 'drained') return closeBoth(deps.drainMs);
    await openPlan();
    if (rest === 'running') return openDispatch();
    await dispatch?.finish(deps.finishMs);
    dispatch = null;
  }

  async function settle(): Promise<void> {
    try {
      while (at() !== wanted) await moveTo(wanted);
    } catch (error) {
      // Away or broken: what is open stays as it is, and the state says so.
      wanted = at();
      deps.onError(error);
    }
  }

  function want(rest: Rest): void {
    wanted = rest;
    if (moving !== null || at() === rest) return;
    moving = settle().finally(() => {
      moving = null;
      deps.onState(state());
    });
    deps.onState(state());
  }

  await Promise.all([openPlan(), openDispatch()]);
  return {
    state,
    shardsInHand: deps.shardsInHand,
    pause: () => want('paused'),
    resume: () => want('running'),
    drain: () => want('drained'),
    close: async (deadlineMs) => {
      wanted = 'drained';
      // Not after what is moving: a pause waits longer for its shards than a process that ends.
      await closeBoth(deadlineMs);
      await moving;
      await closeBoth(0);
    },
  };
}
