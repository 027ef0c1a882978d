import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));
/** One is written in Python, the other in Rust (calamine). Named for their versions, so that an upgrade is a new folder. */
const packages = ['openpyxl==3.1.5', 'python-calamine==0.9.1'];
const folder = join(cache, 'spreadsheet-readers-3.1.5-0.9.1');

/** Python with pip is not on every developer's machine. */
export const hasSpreadsheetReaders =
  existsSync(folder) || spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' }).status === 0;
if (!hasSpreadsheetReaders && process.env.REQUIRE_LANGUAGES === '1')
  throw new Error('python3 -m pip does not answer: install python3-pip');
if (!hasSpreadsheetReaders)
  console.warn('SKIPPED, no spreadsheet is read in other languages: python3 -m pip does not answer');

export type SpreadsheetReader = 'openpyxl' | 'calamine';

const programs: Readonly<Record<SpreadsheetReader, string>> = {
  openpyxl: `
import json, sys
from openpyxl import load_workbook
rows = load_workbook(sys.argv[1], read_only=True).worksheets[0].iter_rows(values_only=True)
print(json.dumps([list(row) for row in rows], default=str))`,
  calamine: `
import json, sys
from python_calamine import CalamineWorkbook
print(json.dumps(CalamineWorkbook.from_path(sys.argv[1]).get_sheet_by_index(0).to_python(), default=str))`,
};

/** The cells of the first sheet, as the reader has them; days as `YYYY-MM-DD…`. */
export async function readSpreadsheet(reader: SpreadsheetReader, file: string): Promise<unknown[][]> {
  if (!existsSync(folder)) await install();
  const { stdout } = await run('python3', ['-c', programs[reader], file], {
    env: { ...process.env, PYTHONPATH: folder, PYTHONIOENCODING: 'utf-8' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

async function install(): Promise<void> {
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'spreadsheet-readers-'));
  try {
    const quiet = ['--quiet', '--disable-pip-version-check', '--only-binary=:all:'];
    await run('python3', ['-m', 'pip', 'install', ...quiet, '--target', made, ...packages], {
      timeout: 300_000,
    });
    // A rename is atomic: two test processes that install at once end with one whole folder.
    await rename(made, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
