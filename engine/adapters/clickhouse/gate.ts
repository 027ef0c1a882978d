/** Lets so many pieces of work run at once; the rest wait in line, up to a bound. */
export interface Gate {
  /** @throws Error where the line is full or the gate was closed before its turn: the work did not run. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Lets nothing more in and turns away who stands in line; resolves when what was let in has ended. */
  close(): Promise<void>;
}

export function createGate(atOnce: number, waitingAtMost: number): Gate {
  const waiting: PromiseWithResolvers<void>[] = [];
  const empty = Promise.withResolvers<void>();
  let running = 0;
  let closed = false;

  async function enter(): Promise<void> {
    if (closed) throw closedError();
    if (running < atOnce) {
      running++;
      return;
    }
    if (waiting.length >= waitingAtMost) throw new Error('too many statements wait for ClickHouse');
    const turn = Promise.withResolvers<void>();
    waiting.push(turn);
    // Whoever leaves hands its place over, so `running` stays as it is.
    await turn.promise;
  }

  function leave(): void {
    const next = waiting.shift();
    if (next !== undefined) return void next.resolve();
    running--;
    if (closed && running === 0) empty.resolve();
  }

  return {
    run: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    close: async () => {
      closed = true;
      for (const turn of waiting.splice(0)) turn.reject(closedError());
      if (running === 0) empty.resolve();
      await empty.promise;
    },
  };
}

const closedError = (): Error => new Error('ClickHouse is closed');
