import type { EngineState } from '../adapters/telemetry/metric-register.ts';
import type { DispatchStage } from '../dispatch/stage.ts';
import type { PlanStage } from '../plan/stage.ts';

/**
 * The operator's control of one engine, until its next start: no state is stored.
 *
 *     running ──pause──► pausing ──► paused        no more shards; running ones end; planning goes on
 *        ▲  └───drain──► draining ─► drained       as paused, no planning, and running shards are handed back
 *        └─── resuming ◄──resume── paused, drained
 *
 * The newest request wins: one that is reversed while it is carried out is completed first. The relay, the
 * scheduler and record run in every state, so that finished work is recorded.
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
  /** For running shards to end by themselves; they end later where that is not enough. */
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

/**
 * One state machine: which stages are open, and which are wanted.
 * @throws the error of the stages' first start.
 */
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
      // Away or broken: the open stages stay as they are, and the state shows it.
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
      // Not behind a running change: a pause waits longer for its shards than an exiting process.
      await closeBoth(deadlineMs);
      await moving;
      await closeBoth(0);
    },
  };
}
