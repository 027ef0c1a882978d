import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { sendUnavailable } from './errors.ts';
import type { ServerLimits } from './server-limits.ts';

/** Asked at every request: whether there is too much to do. */
export type PressureSignal = () => boolean;

/**
 * Refuses requests while the event loop lags: before any lookup, so that refusing is cheap and admitted
 * requests finish. Health is still answered: an orchestrator that mistook a busy process for a dead one would
 * move its load to the others.
 */
export function registerOverload(app: FastifyInstance, limits: ServerLimits, signal: PressureSignal): void {
  app.register(underPressure, {
    maxEventLoopDelay: limits.maxEventLoopDelayMs,
    sampleInterval: limits.pressureSampleMs,
    // The hook below answers, in the shape of every other answer.
    pressureHandler: () => {},
  });
  const isLagging = lasting(() => app.isUnderPressure(), limits.pressureSampleMs);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.answersUnderPressure) return;
    if (isLagging() || signal()) return sendUnavailable(reply);
  });
}

/**
 * True once the signal was true at every check of one sample's time: a sample that ends with one long pause (a
 * large import beginning, the process waking up) is high, and says nothing about the next one.
 */
export function lasting(
  signal: PressureSignal,
  sampleMs: number,
  now = () => performance.now(),
): PressureSignal {
  let since: number | null = null;
  let seenAt = 0;
  return () => {
    const at = now();
    const isOld = at - seenAt > 2 * sampleMs;
    seenAt = at;
    if (!signal()) since = null;
    else if (since === null || isOld) since = at;
    return since !== null && at - since >= sampleMs;
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered however much there is to do. */
    answersUnderPressure?: boolean;
  }
}
