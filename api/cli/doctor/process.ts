import { type Found, ok, problem, reasonOf, skipped } from './finding.ts';

const ANSWER_MS = 3_000;

interface Listener {
  readonly internalHost: string;
  readonly internalPort: number;
}

/** The engine of this machine, or the whole of `broadside up`, by its internal listener. */
export async function checkProcess({ internalHost, internalPort }: Listener): Promise<Found> {
  const host = internalHost === '0.0.0.0' ? '127.0.0.1' : internalHost === '::' ? '[::1]' : internalHost;
  if (internalPort === 0) return skipped('INTERNAL_PORT is 0: where a running engine listens is not known');
  const url = `http://${host}:${internalPort}/health/ready`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' });
    if (response.ok) return ok(`the engine at ${host}:${internalPort} is ready`);
    const said = (await response.text()).slice(0, 500);
    const mend = 'Check what it names, and check its log.';
    return problem(`the engine at ${host}:${internalPort} is not ready: ${said}`, mend);
  } catch (error) {
    const refused = reasonOf(error).includes('ECONNREFUSED');
    const text = `no engine answers at ${host}:${internalPort}`;
    if (refused) return skipped(`${text}: none runs on this machine`);
    return problem(`${text}: ${reasonOf(error)}`, 'Check whether the process hangs, and check its log.');
  }
}
