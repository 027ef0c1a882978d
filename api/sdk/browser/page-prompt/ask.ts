import type { Broadside, BroadsideState } from '../broadside.d.ts';
import { answerOf, type Words } from './texts.ts';
import type { View } from './view.ts';

/** Turns notifications on or off, one at a time, and shows the reader the result. */
export function createAsk(broadside: Broadside, texts: Words, { say }: View) {
  let isAsking = false;
  return async function ask(isOn: boolean): Promise<BroadsideState | null> {
    if (isAsking) return null;
    isAsking = true;
    try {
      const state = await (isOn ? broadside.unsubscribe() : broadside.subscribe());
      say(answerOf(texts, state));
      return state;
    } catch (error) {
      console.warn('Broadside:', error);
      say(texts.failed);
      return null;
    } finally {
      isAsking = false;
    }
  };
}
