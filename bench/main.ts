import { benchProgram } from './program.ts';
import { beginBench } from './stand/interruption.ts';

beginBench();
await benchProgram()
  .parseAsync()
  .catch((error: Error) => {
    console.error(`bench: ${error.message}`);
    process.exitCode = 1;
  });
