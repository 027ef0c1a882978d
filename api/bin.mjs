#!/usr/bin/env node
// Plain JavaScript that Node 12 can read, so that an old one can say what is wrong.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
if (major < 26) {
  // Of a checkout, or of an installed package, beside which npm puts what it needs.
  const places = ['../node_modules/.bin/node', '../../.bin/node'];
  const own = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  const bin = fileURLToPath(import.meta.url);
  console.error(
    `Broadside needs Node 26 or newer, this is ${process.version}. ${
      own
        ? `npm has brought one: ${[own, bin].concat(process.argv.slice(2)).join(' ')}`
        : 'npm brings one, where it is run without --omit=optional; or install Node 26 from https://nodejs.org.'
    }`,
  );
  process.exit(1);
}
// A build of Node can leave it out, and local times of campaigns are counted with it.
if (typeof Temporal === 'undefined') {
  console.error(
    `Broadside needs Temporal, and this build of Node ${process.version} is without it. Start it through npm.`,
  );
  process.exit(1);
}
// A command begins in half the time. Here and not where everybody may write: it is code. Where it cannot be
// written, Node goes on without. Worker threads read the variable: each begins with 0.3 s of CPU less.
const compiled = fileURLToPath(new URL('../.cache/compiled', import.meta.url));
module.enableCompileCache(compiled);
process.env.NODE_COMPILE_CACHE ??= compiled;
// `head` has what it wanted: the command goes on, and prints nothing more.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});
import('./cli/main.ts').then(
  async (cli) => {
    await cli.runCli(process.argv);
    // A lookup of a name that nothing answers cannot be called back, and would keep the process for half a minute.
    // Nor can what a role had under way when its start failed: a process that stays would not be started again.
    if (process.argv[2] !== 'doctor' && !process.exitCode) return;
    process.stderr.write('', () => process.stdout.write('', () => process.exit()));
  },
  (error) => {
    console.error(`broadside: ${error.message}`);
    process.exit(1);
  },
);
