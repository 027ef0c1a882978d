import { eachStep } from '../contract/concurrency/each-step.ts';
import type { AppService, Judged } from '../contract/standing.ts';
import { judge, type Verdict } from './judge.ts';
import type { StandingStore } from './ports.ts';

export type StandingChanged = AppService & Exclude<Verdict, { readonly kind: 'unchanged' }>;

/** Judges all that is limited or was throttled lately. Stopped anywhere, the next check judges the same again. */
export function createStandingStep(deps: {
  readonly store: StandingStore;
  readonly onChanged: (changed: StandingChanged) => void;
}): () => Promise<number> {
  const { store } = deps;

  function write(of: AppService & Judged, verdict: Verdict): Promise<boolean> {
    if (verdict.kind === 'began') return store.begin(of, verdict.now);
    if (verdict.kind === 'unchanged' || of.limited === null) return Promise.resolve(false);
    return verdict.kind === 'ended' ? store.end(of, of.limited) : store.change(of, of.limited, verdict.now);
  }

  async function judgeOne(of: AppService & Judged): Promise<number> {
    const verdict = judge(of);
    if (verdict.kind === 'unchanged' || !(await write(of, verdict))) return 0;
    deps.onChanged({ appId: of.appId, service: of.service, ...verdict });
    return 1;
  }

  // An app that cannot be judged keeps none of the others.
  return async () => eachStep((await store.readJudged()).map((of) => () => judgeOne(of)));
}
