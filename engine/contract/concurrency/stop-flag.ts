/** Shared with the worker threads: once raised, they start no further request. It is never lowered. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

export const createStopFlag = (): StopFlag => new Int32Array(new SharedArrayBuffer(4));

export const raiseStop = (flag: StopFlag): void => void Atomics.store(flag, 0, 1);

export const isStopped = (flag: StopFlag): boolean => Atomics.load(flag, 0) !== 0;
