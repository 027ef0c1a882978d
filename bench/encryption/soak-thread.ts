import { parentPort, workerData } from 'node:worker_threads';
import { type BackendName, openBackend } from '../../engine/worker/encryption/backends.ts';
import { encryptAllSorts } from './work.ts';

/** One life of a worker thread in the soak. */
const { backend, cryptoMbLibrary, messages } = workerData as SoakLife;
const opened = openBackend(backend, { cryptoMbLibrary });
const before = process.threadCpuUsage();
const done = encryptAllSorts(opened, messages);
const { user, system } = process.threadCpuUsage(before);
opened.close();
parentPort?.postMessage({ ...done, cpuUs: user + system });

export interface SoakLife {
  readonly backend: BackendName;
  readonly cryptoMbLibrary: string | null;
  readonly messages: number;
}
