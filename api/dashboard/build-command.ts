import { setPriority } from 'node:os';
import { buildDashboard } from './build.ts';

/**
 * `npm run build`. With `--beside`, as a running API starts it: it gives way to the API, and ends with it, for its
 * standard input ends then.
 */
if (process.argv.includes('--beside')) {
  setPriority(10);
  process.stdin.on('end', () => process.exit(1)).resume();
}
console.log(`the dashboard is built: ${await buildDashboard()}`);
process.exit();
