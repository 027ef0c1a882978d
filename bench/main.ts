import { benchProgram } from './program.ts';

await benchProgram()
  .parseAsync()
  .catch((error: Error) => {
    console.error(`bench: ${error.message}`);
    process.exitCode = 1;
  });
