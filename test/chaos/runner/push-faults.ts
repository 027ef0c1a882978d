import type { FaultAction, FaultRule } from '../../support/push-service/faults.ts';
import type { FaultKind, FaultKinds } from './fault.ts';
import type { World } from './world.ts';

/** Always there, so that deliveries last and faults find messages in flight. */
const usual: readonly FaultRule[] = [{ action: { kind: 'latency', ms: 80, jitterMs: 80 } }];

export const asUsual = ({ pushService }: World): Promise<void> => pushService.setFaults(usual);

const base = {
  targets: () => ['push'] as const,
  log: null,
  enginesLost: 0,
  end: asUsual,
};

const share = (action: FaultAction, rate: number, more: Partial<FaultRule> = {}): FaultKind => ({
  ...base,
  forMs: [1_000, 5_000],
  begin: ({ pushService }) => pushService.setFaults([...usual, { action, rate, ...more }]),
});

/** What push services do; the ambiguous ones are those that take the message and do not say so. */
export const pushFaults: FaultKinds = {
  'push throttles': share({ kind: 'throttle', retryAfter: 1 }, 1),
  'push throttles some': share({ kind: 'throttle' }, 0.3),
  'push answers 503': share({ kind: 'status', status: 503 }, 0.7),
  'push answers 500 late': share({ kind: 'status', status: 500 }, 0.3),
  'push hangs': share({ kind: 'hang' }, 0.1),
  'push resets connections': share({ kind: 'connection-reset' }, 0.01),
  'push resets streams': share({ kind: 'stream-reset', code: 'INTERNAL_ERROR' }, 0.2),
  'push refuses streams': share({ kind: 'stream-reset', code: 'REFUSED_STREAM' }, 0.3),
  'push says go away': share({ kind: 'goaway', manner: 'graceful' }, 0.01),
  'push goes away abruptly': share({ kind: 'goaway', manner: 'abrupt' }, 0.01),
  'push accepts, then resets': share({ kind: 'connection-reset' }, 0.005, { afterAccept: true }),
  'push accepts, then hangs': share({ kind: 'hang' }, 0.05, { afterAccept: true }),
  /** Bodies wait in the connection's window, and answers come just before the sender's timeout. */
  'push reads slowly': share({ kind: 'slow-read', ms: 1_500 }, 0.3),
  'push refuses with a slow body': share({ kind: 'slow-body', status: 503, ms: 1_500 }, 0.5),
  /** Longer than the sender waits: the message was taken, and its stream stays open. */
  'push accepts with a slow body': share({ kind: 'slow-body', status: 201, ms: 5_000 }, 0.5),
  'push is very slow': {
    ...base,
    forMs: [1_000, 5_000],
    begin: ({ pushService }) =>
      pushService.setFaults([{ action: { kind: 'latency', ms: 1_000, jitterMs: 1_500 } }]),
  },
  'push allows one stream': {
    ...base,
    forMs: [1_000, 5_000],
    begin: ({ pushService }) => pushService.setFaults({ rules: [...usual], maxConcurrentStreams: 1 }),
    end: ({ pushService }) => pushService.setFaults({ rules: [...usual], maxConcurrentStreams: 100 }),
  },
  /** Its sockets stay open without a peer: half-open sessions. */
  'push freezes': {
    ...base,
    forMs: [1_000, 6_000],
    begin: ({ pushService }) => void process.kill(pushService.pid, 'SIGSTOP'),
    end: ({ pushService }) => void process.kill(pushService.pid, 'SIGCONT'),
  },
  'push restarts': {
    ...base,
    forMs: [100, 3_000],
    begin: ({ pushService }) => pushService.kill('SIGKILL'),
    end: async (world) => {
      await world.pushService.restart();
      await asUsual(world);
    },
  },
};
