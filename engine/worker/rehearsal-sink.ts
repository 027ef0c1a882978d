import { failureCode } from '../contract/outcome.ts';
import type { PushListener, PushRequest } from './push-answer.ts';
import type { PushClient } from './push-client.ts';

/** As a push service nearby answers: most at once, a few late. */
const FASTEST_MS = 20;
const TYPICAL_SPREAD_MS = 80;
const SLOW_SHARE = 0.02;
const SLOW_MS = 500;

/** Stands in for the push services in a rehearsal: takes every message after a modelled time, sends nothing. */
export function createRehearsalSink(random: () => number): Pick<PushClient, 'post'> {
  return {
    post({ index }: PushRequest, listener: PushListener) {
      const latencyMs = modelledLatency(random);
      const said = { status: 201, retryAfter: null, text: '', connected: true };
      const answer = { ...said, failure: failureCode.answered, latencyMs };
      setTimeout(() => listener.answered(index, answer), latencyMs);
    },
  };
}

function modelledLatency(random: () => number): number {
  if (random() < SLOW_SHARE) return SLOW_MS;
  return Math.round(FASTEST_MS + TYPICAL_SPREAD_MS * random());
}
