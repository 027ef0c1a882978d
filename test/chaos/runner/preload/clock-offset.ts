import { readFileSync } from 'node:fs';

/**
 * Loaded into an engine and each of its threads before anything else: the clock of the process differs from
 * the machine's by what a file says, and jumps when the file changes. Timers do not jump, as they do not on
 * a machine whose clock is set.
 */
const file = process.env.CHAOS_CLOCK_FILE ?? '';
const READ_EVERY_MS = 200;
const MachineDate = Date;
let offsetMs = 0;

const read = (): void => {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // The run is over and its folder gone.
  }
};
read();
setInterval(read, READ_EVERY_MS).unref();

const now = (): number => MachineDate.now() + offsetMs;
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args) => (args.length === 0 ? new target(now()) : Reflect.construct(target, args)),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
