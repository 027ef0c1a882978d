import { readFileSync } from 'node:fs';

const KB = 1_024;

/**
 * The most resident memory that this process ever held, in bytes. On Linux read from `/proc`: there `maxRSS` is never
 * below the peak of the parent process, which exec keeps (`setmax_mm_hiwater_rss` in the kernel's `fs/exec.c`).
 */
export function peakMemoryBytes(): number {
  const [, ownKb] = /^VmHWM:\s+(\d+) kB$/m.exec(statusOfLinux()) ?? [];
  return Number(ownKb ?? process.resourceUsage().maxRSS) * KB;
}

function statusOfLinux(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
