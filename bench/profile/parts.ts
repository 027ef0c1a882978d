import { type ProfileNode, selfTimes, type ThreadKind, type ThreadProfile } from './cpu-profile.ts';

/** The parts of the engine's work on a message. `native`: threads without JavaScript, see `splitByPart`. */
export const parts = ['read', 'encrypt', 'send', 'record', 'collect', 'other', 'native'] as const;
export type Part = (typeof parts)[number];

/** The innermost caller that a rule knows decides: `createCipheriv` under `encryptBatch` encrypts. */
const rules: readonly (readonly [part: Part, url: RegExp])[] = [
  ['encrypt', /engine\/worker\/(encrypt|hmac|vapid|encryption\/)/],
  ['read', /engine\/worker\/(targets|shared-headers|headers)\.ts$/],
  ['read', /engine\/contract\/(push-service|copied-seqs|subscription-keys)\.ts$/],
  ['read', /engine\/adapters\/postgres\/(audience|fix-audience|target-facts|cap-slots)\.ts$/],
  ['read', /node_modules\/pg-copy-streams\//],
  ['send', /engine\/worker\/|node_modules\/(undici|piscina)\/|engine\/dispatch\/worker-pool\.ts$/],
  ['record', /engine\/record\/|engine\/adapters\/(clickhouse|kafka|pgboss)\//],
  ['record', /engine\/adapters\/postgres\/(relay|hold-block-ends|progress-store|complete-delivery)\.ts$/],
  ['record', /engine\/dispatch\/end-block\.ts$|engine\/contract\/(packed-outcomes|service-counts)\.ts$/],
  ['record', /node_modules\/(chdb|@clickhouse|pg-boss|kafkajs)\/|engine\/internal-metrics\.ts$/],
];

/**
 * Time by part over all threads, in µs. A frame without a rule is sending on a worker thread, which between
 * messages only reads and writes sockets, and `other` on the main thread.
 */
export function timesByPart(profiles: readonly ThreadProfile[]): Map<Part, number> {
  const times = new Map<Part, number>();
  for (const { thread, profile } of profiles) {
    const partOf = createPartOf(profile.nodes, thread);
    for (const [id, time] of selfTimes(profile)) {
      const part = partOf(id);
      times.set(part, (times.get(part) ?? 0) + time);
    }
  }
  return times;
}

function createPartOf(nodes: readonly ProfileNode[], thread: ThreadKind): (id: number) => Part {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const known = new Map<number, Part>();

  return function partOf(id) {
    const found = known.get(id);
    if (found !== undefined) return found;
    const part = ownPart(byId.get(id)) ?? inherited(parentOf.get(id));
    known.set(id, part);
    return part;
  };

  function inherited(parent: number | undefined): Part {
    for (let id = parent; id !== undefined; id = parentOf.get(id)) {
      const part = known.get(id) ?? ownPart(byId.get(id));
      if (part !== null) return part;
    }
    return thread === 'worker' ? 'send' : 'other';
  }
}

function ownPart(node: ProfileNode | undefined): Part | null {
  if (node === undefined) return null;
  const { functionName, url } = node.callFrame;
  if (functionName === '(garbage collector)') return 'collect';
  return rules.find(([, pattern]) => pattern.test(url))?.[0] ?? null;
}

export interface PartCost {
  readonly part: Part;
  readonly cpuUsPerMessage: number;
}

/**
 * Distributes the process's CPU time over the parts by the profile's shares. `nativeUs` of it was used by
 * threads without JavaScript: the embedded ClickHouse's, and V8's and libuv's helpers.
 */
export function splitByPart(
  profiles: readonly ThreadProfile[],
  cpuUsPerMessage: number,
  nativeShare: number,
): PartCost[] {
  const times = timesByPart(profiles);
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const scripted = cpuUsPerMessage * (1 - nativeShare);
  return parts.map((part) => ({
    part,
    cpuUsPerMessage:
      part === 'native'
        ? cpuUsPerMessage * nativeShare
        : (scripted * (times.get(part) ?? 0)) / Math.max(1, total),
  }));
}
