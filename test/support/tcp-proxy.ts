import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can fail in every manner a network does. Healthy until a fault is set. */
export interface TcpProxy {
  readonly port: number;
  /** Every connection is reset, and new ones too, until `restore`. */
  cut(): void;
  /** Everything sent arrives this much later, in both directions, until `restore`. */
  delay(ms: number): void;
  /** Connections are made and stand, and nothing arrives; after `restore` what was sent arrives late. */
  blackhole(): void;
  /**
   * All present clients are gone without a word, as machines are that lose their power: the server's side stays open
   * and hears nothing until this time is over, when the server's keepalive probes would have found out: here the proxy
   * answers those. New connections work.
   */
  vanish(noticedAfterMs: number): void;
  /**
   * The answers to the next matching requests, this number of them, are lost: the server did the work, and the client
   * sees a reset. Until `restore`.
   */
  dropAnswers(times: number, matches: (request: Buffer) => boolean): void;
  /** How many connections were made so far. */
  connections(): number;
  /** How many answers were lost so far. */
  dropped(): number;
  restore(): void;
  close(): Promise<void>;
}

interface State {
  mode: 'open' | 'cut' | 'blackhole';
  delayMs: number;
  dropsLeft: number;
  dropped: number;
  matches: (request: Buffer) => boolean;
}

/** Of one connection. */
interface Pair {
  readonly far: Socket;
  vanished: boolean;
}

/** Chunks on their way in one direction, at most; past it the sender is not read. */
const MAX_CHUNKS = 256;

/** @param listenOn 0: any free port. */
export async function startTcpProxy(host: string, port: number, listenOn = 0): Promise<TcpProxy> {
  const state: State = { mode: 'open', delayMs: 0, dropsLeft: 0, dropped: 0, matches: () => false };
  const lines = new Set<Line>();
  const pairs = new Set<Pair>();
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    connections++;
    if (state.mode === 'cut') return void near.resetAndDestroy();
    const far = connect(port, host);
    const pair: Pair = { far, vanished: false };
    pairs.add(pair);
    let answerIsLost = false;
    const there = createLine(near, far, { state, pair }, (chunk) => {
      if (state.dropsLeft > 0 && state.matches(chunk)) {
        state.dropsLeft--;
        answerIsLost = true;
      }
      return true;
    });
    const back = createLine(far, near, { state, pair }, () => {
      if (!answerIsLost) return true;
      state.dropped++;
      near.resetAndDestroy();
      far.destroy();
      return false;
    });
    for (const line of [there, back]) lines.add(line);
    far.on('close', () => pairs.delete(pair));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const line of [there, back]) lines.delete(line);
      });
    }
  }).listen(listenOn, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const resetAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: address.port,
    cut: () => {
      state.mode = 'cut';
      resetAll();
    },
    delay: (ms) => {
      state.delayMs = ms;
    },
    blackhole: () => {
      state.mode = 'blackhole';
    },
    vanish: (noticedAfterMs) => {
      for (const pair of pairs) pair.vanished = true;
      const gone = [...pairs].map(({ far }) => far);
      setTimeout(() => {
        for (const far of gone) far.resetAndDestroy();
      }, noticedAfterMs).unref();
    },
    dropAnswers: (times, matches) => {
      state.dropsLeft = times;
      state.matches = matches;
    },
    connections: () => connections,
    dropped: () => state.dropped,
    restore: () => {
      Object.assign(state, { mode: 'open', delayMs: 0, dropsLeft: 0 });
      for (const line of lines) line.flush();
    },
    close: async () => {
      resetAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A proxy to the server of this URL. @returns it, and the URL that leads through it. */
export async function proxyTo(url: string): Promise<{ readonly way: TcpProxy; readonly url: string }> {
  const through = new URL(url);
  const way = await startTcpProxy(through.hostname, Number(through.port));
  through.host = `127.0.0.1:${way.port}`;
  return { way, url: through.href.replace(/\/$/, '') };
}

interface Line {
  /** Passes on what is due. */
  flush(): void;
}

/** One direction of a connection, in order whatever becomes of the delay meanwhile. */
function createLine(
  from: Socket,
  to: Socket,
  { state, pair }: { readonly state: State; readonly pair: Pair },
  passes: (chunk: Buffer) => boolean,
): Line {
  const queue: { readonly chunk: Buffer; readonly dueAtMs: number }[] = [];
  let timer: NodeJS.Timeout | null = null;
  let ended = false;

  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (state.mode === 'blackhole') return;
    const now = performance.now();
    while (queue[0] !== undefined && (state.delayMs === 0 || queue[0].dueAtMs <= now)) {
      const next = queue.shift();
      if (next !== undefined && !to.destroyed) to.write(next.chunk);
    }
    if (queue[0] !== undefined) timer = setTimeout(flush, Math.max(1, queue[0].dueAtMs - now));
    else if (ended) to.end();
    if (queue.length < MAX_CHUNKS && from.isPaused()) from.resume();
  };
  from.on('data', (chunk: Buffer) => {
    if (pair.vanished || !passes(chunk)) return;
    queue.push({ chunk, dueAtMs: performance.now() + state.delayMs });
    if (queue.length >= MAX_CHUNKS) from.pause();
    flush();
  });
  from.on('end', () => {
    if (pair.vanished) return;
    ended = true;
    flush();
  });
  // What was sent before a connection ended in order still arrives, late or not; a reset takes it along.
  from.on('close', (hadError) => {
    if (pair.vanished) return;
    if (hadError) return void to.resetAndDestroy();
    ended = true;
    flush();
  });
  to.on('close', () => {
    if (timer !== null) clearTimeout(timer);
    queue.length = 0;
    if (!pair.vanished) from.destroy();
  });
  return { flush };
}
