#!/usr/bin/env node
// Plain JavaScript that Node 12 can read, so that an old one can say what is wrong.
const major = Number(process.versions.node.split('.')[0]);
if (major < 26) {
  console.error(
    `Broadside needs Node 26 or newer, this is ${process.version}. Start it through npm, which brings its own.`,
  );
  process.exit(1);
}
import('./cli.ts').then(
  (cli) => cli.runCli(process.argv),
  (error) => {
    console.error(`broadside: ${error.message}`);
    process.exit(1);
  },
);
