import { monitorEventLoopDelay } from 'node:perf_hooks';
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
  const lag = sampleEventLoop(limits.pressureSampleMs);
  app.addHook('onClose', async () => lag.close());
  const isLagging = lasting(() => lag.meanMs() > limits.maxEventLoopDelayMs, limits.pressureSampleMs);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.answersUnderPressure) return;
    if (isLagging() || signal()) return sendUnavailable(reply);
  });
}

const NANOSECONDS_A_MS = 1e6;
/** Of the timer that measures: it is late by what the event loop is. */
const RESOLUTION_MS = 10;

/**
 * How late the event loop was in the mean of the last whole sample, in ms. Measured while somebody asks: a hundred ticks
 * a second for a server without requests cost it more than all else that it does.
 */
function sampleEventLoop(sampleMs: number): { meanMs: () => number; close: () => void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let last = 0;
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    delays.reset();
    delays.enable();
    timer = setInterval(endSample, sampleMs).unref();
  }

  function endSample(): void {
    if (!isAsked) {
      stop();
      return;
    }
    isAsked = false;
    // NaN where the timer never came, which is a lag of a whole sample.
    last = delays.count === 0 ? sampleMs : delays.mean / NANOSECONDS_A_MS - RESOLUTION_MS;
    delays.reset();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    last = 0;
    delays.disable();
  }

  return {
    meanMs: () => {
      isAsked = true;
      if (timer === undefined) start();
      return last;
    },
    close: stop,
  };
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
