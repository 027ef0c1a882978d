import { Own } from './own-promise.ts';

/**
 * Whether a stamp that this device wrote is less than `ms` old. One that lies ahead is not: the clock was wrong then, and
 * would be believed until that time has come.
 */
export function isYoung(atMs: number, ms: number): boolean {
  const age = Date.now() - atMs;
  return age >= 0 && age < ms;
}

export const wait = (ms: number): Promise<void> => new Own((resolve) => void setTimeout(resolve, ms));

/** Settles as the work does, or after the time as `late` says; the work goes on then. */
export const limited = <Value, Late>(
  work: Promise<Value>,
  ms: number,
  late: () => Late,
): Promise<Value | Late> =>
  new Own((resolve, reject) => {
    const settle = async (result: () => Value | Late | Promise<Value>): Promise<void> => {
      try {
        resolve(await result());
      } catch (error) {
        reject(error);
      }
      clearTimeout(timer);
    };
    const timer = setTimeout(() => settle(late), ms);
    void settle(() => work);
  });
