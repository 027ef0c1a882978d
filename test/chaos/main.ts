import { runChaos } from './runner/run.ts';
import { simulate } from './simulation/simulate.ts';

/** `npm run chaos -- …`: `--simulate N` plays seeds in virtual time, everything else is chaos over real parts. */
const args = process.argv.slice(2);
process.exitCode = args.includes('--simulate') ? await simulate(args, console.log) : await runChaos(args);
