import type { Command } from 'commander';
import { printJson } from '../../engine/kit/command-line/terminal.ts';
import { writeTextFile } from '../../engine/kit/command-line/write-text-file.ts';
import { readOpenapiText } from '../serve/openapi-text.ts';

const examples = `
Examples:
  broadside openapi > openapi.json
  broadside openapi --out build/openapi.json`;

/** For generators of clients: the text that a running API serves at /api/v1/openapi.json. */
export function addOpenapiCommand(program: Command): void {
  program
    .command('openapi')
    .description('Prints the OpenAPI 3.1 text of the API. Needs no running Broadside.')
    .option('--out <file>', 'write it there')
    .addHelpText('after', examples)
    .action(async ({ out }: { readonly out?: string }) => {
      const document = await readOpenapiText();
      if (out === undefined) printJson(document, 2);
      else await writeTextFile(out, `${JSON.stringify(document, null, 2)}\n`);
    });
}
