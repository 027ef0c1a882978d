import { type Command, Option } from 'commander';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { readDatabaseConfig } from '../../../engine/kit/command-line/settings.ts';
import { printNote, say } from '../../../engine/kit/command-line/terminal.ts';
import { untilStopped } from '../../../engine/kit/command-line/until-stopped.ts';
import { libraryFolder, libraryPath, VERSION, wheels } from '../../../engine/kit/fast-library/files.ts';
import { whyImpossible } from '../../../engine/kit/fast-library/look.ts';
import { downloadByHand, downloadWheels } from './download-wheels.ts';
import { installLibrary } from './install-library.ts';

const MEGABYTE = 1_000_000;
const megabytes = Math.round(wheels.reduce((sum, { bytes }) => sum + bytes, 0) / MEGABYTE);
const named = wheels.map((wheel) => `${wheel.package} ${VERSION} (${wheel.licence})`);

const help = `
It brings Intel's libcrypto_mb, by which engines encrypt more than twice as fast on a CPU with AVX-512 IFMA, and the
runtime that it needs:
  ${named.join('\n  ')}
You accept these licences by running it; their texts are kept beside the library. pip downloads ${megabytes} MB from the
package index that it is configured for (pip config, PIP_INDEX_URL). Only files with exactly the contents that this
release knows are installed, in DATA_FOLDER. An engine finds them there when it starts.

Where no index can be reached, download the files elsewhere and name them:
  ${downloadByHand.join('\n  ')}

Examples:
  broadside encryption install
  broadside encryption install --index https://packages.example.com/simple
  broadside encryption install --from *.whl`;

interface Options {
  readonly from?: readonly string[];
  readonly index?: string;
  readonly forAnotherMachine?: boolean;
  readonly json?: boolean;
}

/** @param tryLibrary why the library at that path cannot be used; null: it encrypts. */
export function addEncryptionCommand(program: Command, tryLibrary: (path: string) => string | null): void {
  program
    .command('encryption')
    .description('The library that encrypts fastest: install.')
    .command('install')
    .description('Brings libcrypto_mb into the data folder, and says under which licences.')
    .option('--from <file...>', 'the files of the packages, already downloaded')
    .addOption(
      new Option(
        '--index <url>',
        'a Python package index (default: the one that pip is configured for)',
      ).conflicts('from'),
    )
    .option('--for-another-machine', 'also where this machine could not use it, and without a try')
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action((options: Options) => untilStopped((signal) => install(options, tryLibrary, signal)));
}

async function install(
  options: Options,
  tryLibrary: (path: string) => string | null,
  signal: AbortSignal,
): Promise<void> {
  const { dataFolder } = readDatabaseConfig();
  const { from, index, forAnotherMachine = false } = options;
  const impossible = forAnotherMachine ? null : whyImpossible();
  if (impossible !== null)
    throw new CliError(`nothing was installed: libcrypto_mb could not be used here, ${impossible}`);
  const bring = async (into: string): Promise<readonly string[]> => {
    printNote(`With the installation you accept the licences of ${named.join(' and ')}.`);
    if (from !== undefined) return from;
    printNote(`pip downloads ${megabytes} MB.`);
    return downloadWheels(wheels, into, index ?? null, signal);
  };
  const ending = await installLibrary({ dataFolder, wheels, bring });
  const where = `in ${libraryFolder(dataFolder)}, with the texts of its licences`;
  const fault = forAnotherMachine ? null : tryLibrary(libraryPath(dataFolder));
  if (fault !== null) throw new CliError(`libcrypto_mb is ${where}, and cannot be used: ${fault}`);
  const value = {
    library: libraryPath(dataFolder),
    installed: ending === 'installed',
    licences: Object.fromEntries(wheels.map((wheel) => [wheel.package, wheel.licence])),
  };
  const text =
    ending === 'installed'
      ? `libcrypto_mb is installed ${where}. An engine uses it from its next start on.`
      : `libcrypto_mb is already ${where}.`;
  say(options.json, value, text);
}
