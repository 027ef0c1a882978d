import type { ServerResponse } from 'node:http';

/** A delivery's counters at a moment, as JSON is made of them. */
export interface Progress {
  readonly status: string;
}

/**
 * Live progress of deliveries as server-sent events: one `progress` event a second with the status and the
 * counters, `end` with the last of them, and nothing after it. However many watch a delivery, it is read once
 * a second; a delivery that nobody watches is not read. A watcher that reads too slowly misses events and
 * holds up nobody.
 */
export interface ProgressStreams {
  /** Takes the response over. `missing`, `full`: it is untouched, and wants another answer. */
  open(id: number, response: ServerResponse): Promise<'open' | 'missing' | 'full'>;
  /** Streams that are open. */
  count(): number;
  /** Ends them all; none opens any more. */
  close(): void;
}

export interface ProgressStreamsOptions {
  /** Null: there is no such delivery. */
  readonly read: (id: number) => Promise<Progress | null>;
  readonly everyMs: number;
  readonly maxStreams: number;
}

const endedStatuses: ReadonlySet<string> = new Set(['success', 'partial', 'failed', 'cancelled']);
const HEARTBEAT = ': nothing new\n\n';

interface Watch {
  readonly watchers: Set<ServerResponse>;
  timer: NodeJS.Timeout | null;
}

export function createProgressStreams(options: ProgressStreamsOptions): ProgressStreams {
  const watches = new Map<number, Watch>();
  /** Those that are about to open count too, or a burst would pass the bound. */
  let open = 0;
  let closed = false;

  function leave(id: number, response: ServerResponse): void {
    const watch = watches.get(id);
    if (watch === undefined || !watch.watchers.delete(response)) return;
    open--;
    if (watch.watchers.size > 0) return;
    if (watch.timer !== null) clearTimeout(watch.timer);
    watches.delete(id);
  }

  function join(id: number, response: ServerResponse): void {
    const watch = watches.get(id) ?? { watchers: new Set(), timer: null };
    watches.set(id, watch);
    watch.watchers.add(response);
    response.once('close', () => leave(id, response));
    watch.timer ??= setTimeout(poll, options.everyMs, id, watch);
  }

  async function poll(id: number, watch: Watch): Promise<void> {
    // Postgres away: the streams stay, and say that they live.
    const progress = await options.read(id).catch(() => 'away' as const);
    if (watches.get(id) !== watch) return;
    const text = progress === 'away' ? HEARTBEAT : eventOf(progress);
    for (const response of watch.watchers) if (!response.writableNeedDrain) response.write(text);
    if (progress === 'away' || !isOver(progress)) watch.timer = setTimeout(poll, options.everyMs, id, watch);
    else endAll(id, watch);
  }

  function endAll(id: number, watch: Watch): void {
    for (const response of [...watch.watchers]) {
      leave(id, response);
      response.end();
    }
  }

  return {
    count: () => open,
    async open(id, response) {
      if (closed || open >= options.maxStreams) return 'full';
      open++;
      const progress = await options.read(id).catch(() => 'away' as const);
      if (progress === null || progress === 'away' || closed || response.destroyed) {
        open--;
        return progress === null ? 'missing' : 'full';
      }
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        connection: 'close',
      });
      response.write(eventOf(progress));
      if (isOver(progress)) {
        open--;
        response.end();
      } else join(id, response);
      return 'open';
    },
    close() {
      closed = true;
      for (const [id, watch] of [...watches]) endAll(id, watch);
    },
  };
}

/** Deleted with its app counts as over. */
const isOver = (progress: Progress | null): boolean =>
  progress === null || endedStatuses.has(progress.status);

const eventOf = (progress: Progress | null): string =>
  `event: ${isOver(progress) ? 'end' : 'progress'}\ndata: ${JSON.stringify(progress)}\n\n`;
