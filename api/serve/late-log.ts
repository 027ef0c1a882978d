import type { Log } from '../../engine/contract/log.ts';

/** The log as an API needs it, before it is there: publishing fails as it does while the log is unavailable. */
export interface LateLog extends Pick<Log, 'publish' | 'ping' | 'close'> {
  arrive(log: Log): void;
}

export function createLateLog(): LateLog {
  let arrived: Log | null = null;
  return {
    publish: async (topic, records) => {
      if (arrived === null) throw new Error('the log does not answer yet');
      await arrived.publish(topic, records);
    },
    ping: async () => (await arrived?.ping()) ?? false,
    close: async (deadlineMs) => {
      await arrived?.close(deadlineMs);
    },
    arrive: (log) => {
      arrived = log;
    },
  };
}
