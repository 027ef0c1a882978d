import { createRequire } from 'node:module';

/** As much of kafkajs' queue of a connection's requests as is needed here. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Milliseconds since 1970; a broker may ask a client to slow down. */
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
}

const require = createRequire(import.meta.url);
/** As kafkajs looks where requests wait. */
const CHECK_EVERY_MS = 10;
let done = false;

/**
 * In kafkajs 2.2.4 each connection looks every millisecond for requests that wait, since its first answer and permanently:
 * the time to its next look is counted from a moment that is long past. With readers on six topics that were fourteen
 * of these timers at rest. Here it looks only while requests wait.
 */
export function lookOnlyForWhatWaits(): void {
  if (done) return;
  done = true;
  const Queue = require('kafkajs/src/network/requestQueue') as { readonly prototype: object };
  Object.assign(Queue.prototype, {
    scheduleCheckPendingRequests(this: RequestQueue): void {
      if (this.pending.length === 0 || this.throttleCheckTimeoutId !== null) return;
      const waitMs = Math.max(this.throttledUntil - Date.now(), CHECK_EVERY_MS);
      this.throttleCheckTimeoutId = setTimeout(() => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      }, waitMs);
    },
  });
}
