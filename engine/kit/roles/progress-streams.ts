import type { ServerResponse } from 'node:http';
import { createFairQueue, type Owner, shareOfOne } from '../../contract/concurrency/fair-queue.ts';

/** A delivery's counters at a moment, as JSON is made of them. */
export interface Progress {
  readonly status: string;
}

/** Identifies a delivery to its reader; its number alone is unique. */
export interface Watched {
  readonly id: number;
}

/**
 * Live progress of deliveries as server-sent events: one `progress` event a second with the status and the
 * counters, `end` with the last of them, and nothing after it. However many watch a delivery, it is read once a
 * second; an unwatched delivery is not read. A watcher that reads too slowly misses events and delays no other.
 * A stream that ends without `end` may be opened again.
 */
export interface ProgressStreams<Named extends Watched = Watched> {
  /**
   * Takes the response over, with the headers that it has. `missing`, `full`: it is untouched, and needs
   * another answer.
   * @param owner the owner whose share of the permits applies. @param group of owners, who have three quarters together.
   */
  open(
    watched: Named,
    response: ServerResponse,
    owner?: Owner,
    group?: Owner,
  ): Promise<'open' | 'missing' | 'full'>;
  /** Streams that are open. */
  count(): number;
  /** Ends all streams; none opens any more. */
  close(): void;
}

export interface ProgressLimits {
  readonly everyMs: number;
  readonly maxStreams: number;
  /** Of one owner. */
  readonly maxOfOwner?: number;
  /** The longest life of a stream, so that reopening it authenticates the caller again. */
  readonly maxStreamMs?: number;
}

export interface ProgressStreamsOptions<Named extends Watched = Watched> extends ProgressLimits {
  /** Null: there is no such delivery. */
  readonly read: (watched: Named) => Promise<Progress | null>;
}

const endedStatuses: ReadonlySet<string> = new Set(['success', 'partial', 'failed', 'cancelled']);
const HEARTBEAT = ': nothing new\n\n';

interface Watch<Named> {
  readonly watched: Named;
  /** Each with the function that releases its resources. */
  readonly watchers: Map<ServerResponse, () => void>;
  timer: NodeJS.Timeout | null;
}

export function createProgressStreams<Named extends Watched = Watched>(
  options: ProgressStreamsOptions<Named>,
): ProgressStreams<Named> {
  const watches = new Map<number, Watch<Named>>();
  /** A stream that is about to open takes a permit too, or a burst would exceed the bound. */
  const permits = createFairQueue({
    permits: options.maxStreams,
    perOwner: options.maxOfOwner ?? options.maxStreams,
    perGroup: options.maxOfOwner === undefined ? options.maxStreams : shareOfOne(options.maxStreams),
  });
  let closed = false;

  function leave(id: number, response: ServerResponse): void {
    const watch = watches.get(id);
    const tidy = watch?.watchers.get(response);
    if (watch === undefined || tidy === undefined) return;
    watch.watchers.delete(response);
    tidy();
    if (watch.watchers.size > 0) return;
    if (watch.timer !== null) clearTimeout(watch.timer);
    watches.delete(id);
  }

  function join(watched: Named, response: ServerResponse, release: () => void): void {
    const { id } = watched;
    const watch: Watch<Named> = watches.get(id) ?? { watched, watchers: new Map(), timer: null };
    watches.set(id, watch);
    const late = options.maxStreamMs && setTimeout(() => end(id, response), options.maxStreamMs);
    watch.watchers.set(response, () => {
      clearTimeout(late);
      release();
    });
    response.once('close', () => leave(id, response));
    watch.timer ??= setTimeout(poll, options.everyMs, watch);
  }

  async function poll(watch: Watch<Named>): Promise<void> {
    const { watched, watchers } = watch;
    // Postgres away: the streams stay open, with heartbeats.
    const progress = await options.read(watched).catch(() => 'away' as const);
    if (watches.get(watched.id) !== watch) return;
    const text = progress === 'away' ? HEARTBEAT : eventOf(progress);
    for (const response of watchers.keys()) if (!response.writableNeedDrain) response.write(text);
    if (progress === 'away' || !isOver(progress)) watch.timer = setTimeout(poll, options.everyMs, watch);
    else endAll(watch);
  }

  function end(id: number, response: ServerResponse): void {
    leave(id, response);
    response.end();
  }

  function endAll({ watched, watchers }: Watch<Named>): void {
    for (const response of [...watchers.keys()]) end(watched.id, response);
  }

  return {
    count: permits.count,
    async open(watched, response, owner = '', group = owner) {
      const release = closed ? 'all' : permits.tryAcquire(owner, group);
      if (typeof release === 'string') return 'full';
      const progress = await options.read(watched).catch(() => 'away' as const);
      if (progress === null || progress === 'away' || closed || response.destroyed) {
        release();
        return progress === null ? 'missing' : 'full';
      }
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        connection: 'close',
      });
      response.write(eventOf(progress));
      if (isOver(progress)) {
        release();
        response.end();
      } else join(watched, response, release);
      return 'open';
    },
    close() {
      closed = true;
      for (const watch of [...watches.values()]) endAll(watch);
    },
  };
}

/** Deleted with its app counts as over. */
const isOver = (progress: Progress | null): boolean =>
  progress === null || endedStatuses.has(progress.status);

const eventOf = (progress: Progress | null): string =>
  `event: ${isOver(progress) ? 'end' : 'progress'}\ndata: ${JSON.stringify(progress)}\n\n`;
