import { readFileSync } from 'node:fs';

const KB = 1_024;

/**
 * The most resident memory that this process ever held, in bytes. Not `maxRSS` where Linux says more: a process that is
 * started inherits that from the one that started it (`setmax_mm_hiwater_rss` in the kernel's `fs/exec.c`).
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
