import { fileURLToPath } from 'node:url';
import { cruiseTree, explainViolation, unmetGuards } from './cruise.ts';

/** Part of `npm run check`. Through the cruiser's API: its command line is content with a tree it could not read. */
const { modules, violations, unseen } = await cruiseTree(fileURLToPath(new URL('../..', import.meta.url)));
for (const violation of violations) console.error(explainViolation(violation));
for (const file of unseen) console.error(`not seen by the cruiser: ${file}`);
const unmet = unmetGuards(modules);
for (const name of unmet)
  console.error(`${name} guards a package that no source imports: name it as it is resolved`);
const sources = modules.filter(({ source }) => /^(engine|api|reporting)\/.*\.tsx?$/.test(source)).length;
console.log(`boundaries: ${sources} modules of production, ${violations.length} violations`);
if (sources === 0 || violations.length + unseen.length + unmet.length > 0) process.exitCode = 1;
