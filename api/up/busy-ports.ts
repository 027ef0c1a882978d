import { once } from 'node:events';
import { createServer } from 'node:net';
import { CliError } from '../../engine/kit/command-line/endings.ts';

/** Where a listener will be. */
export interface Place {
  /** The setting that chooses the port. */
  readonly setting: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

const MAX_PORT = 65_535;
/** Ports tried for one to propose. */
const MAX_PROPOSALS = 20;

/** @throws CliError that names each port in use, its setting, and a free port for it. */
export async function refuseBusyPorts(places: readonly Place[]): Promise<void> {
  const fixed = places.filter(({ port }) => port !== 0);
  const taken = new Set(fixed.map(({ port }) => port));
  const lines: string[] = [];
  for (const [index, place] of fixed.entries()) {
    const first = fixed.findIndex(({ port }) => port === place.port);
    const why =
      first !== index
        ? `is the port of ${fixed[first]?.setting}, too`
        : (await isInUse(place))
          ? 'is in use by another program'
          : null;
    if (why === null) continue;
    const free = await freePortNear(place, taken);
    taken.add(free);
    lines.push(
      `${place.host}:${place.port} ${why}. Choose another port with ${place.setting}=${free}, in the environment or in .env.`,
    );
  }
  const [first, ...others] = lines;
  if (first !== undefined) throw new CliError(first, { more: others.map((line) => `broadside: ${line}`) });
}

/** False also where the address is none of this machine: the listener itself says why then. */
async function isInUse({ host, port }: Place): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}

async function freePortNear({ host, port }: Place, taken: ReadonlySet<number>): Promise<number> {
  for (let next = port + 1; next <= Math.min(MAX_PORT, port + MAX_PROPOSALS); next++) {
    if (!taken.has(next) && !(await isInUse({ setting: '', host, port: next }))) return next;
  }
  return 0;
}
