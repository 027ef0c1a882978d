import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import { type Archive, type ArchiveEntry, openArchive } from './archive.ts';
import { readCells, type SheetRow } from './cells.ts';
import { type Attributes, readXml } from './xml.ts';

/*
 * Office Open XML (ECMA-376, part 1, chapter 18), as far as a table of figures needs it: the cells of one sheet, row by
 * row. The libraries for whole workbooks hold every row of them; of an archive's entries and of XML, libraries read.
 */

const MAX_SHEETS = 1_000;
export interface Workbook {
  readonly sheets: readonly string[];
  /** @throws CliError where the file has no such sheet, or is damaged. */
  rows(sheet: string | null): AsyncIterable<readonly SheetRow[]>;
  /** Of its parts, unpacked. */
  readonly totalBytes: number;
  readBytes(): number;
  close(): Promise<void>;
}

/** @throws CliError where it is not a workbook. */
export async function openWorkbook(file: string): Promise<Workbook> {
  const archive = await openArchive(file);
  try {
    const { sheets, is1904 } = await readSheets(archive);
    const targets = await readTargets(archive);
    if (sheets.length === 0) throw new CliError(`${file} has no sheet`);
    return {
      sheets: sheets.map(({ name }) => name),
      rows: (name) => {
        const sheet = name === null ? sheets[0] : sheets.find((one) => one.name === name);
        if (sheet === undefined)
          throw new CliError(`${file} has no sheet "${name}": it has ${namesOf(sheets)}`);
        const entry = entryOf(archive, targets.get(sheet.id) ?? 'worksheets/sheet1.xml');
        return readCells(archive, entry, is1904);
      },
      totalBytes: archive.entries.reduce((sum, { bytes }) => sum + bytes, 0),
      readBytes: () => archive.readBytes(),
      close: () => archive.close(),
    };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

const namesOf = (sheets: readonly Sheet[]): string =>
  sheets
    .slice(0, 20)
    .map(({ name }) => `"${name}"`)
    .join(', ');

interface Sheet {
  readonly name: string;
  readonly id: string;
}

/** Targets are relative to the workbook, or to the archive where they begin with a slash. */
function entryOf(archive: Archive, target: string): ArchiveEntry {
  const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  const entry = archive.entries.find(({ name }) => name.toLowerCase() === path.toLowerCase());
  if (entry === undefined)
    throw new CliError(`${archive.file} is not a whole spreadsheet: ${path} is missing`);
  return entry;
}

async function readSheets(archive: Archive): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  const entry = archive.entries.find(({ name }) => name.toLowerCase() === 'xl/workbook.xml');
  if (entry === undefined) throw new CliError(`${archive.file} is not a spreadsheet in the form of .xlsx`);
  await readXml(archive, entry, {
    onOpen: (name, attributes) => {
      if (name === 'sheet' && sheets.length < MAX_SHEETS)
        sheets.push({ name: attributes.name ?? '', id: idOf(attributes) });
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
    },
  });
  return { sheets, is1904 };
}

/** Its prefix is the writer's choice. */
const idOf = (attributes: Attributes): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';

async function readTargets(archive: Archive): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  const entry = archive.entries.find(({ name }) => name.toLowerCase() === 'xl/_rels/workbook.xml.rels');
  if (entry === undefined) return targets;
  await readXml(archive, entry, {
    onOpen: (name, attributes) => {
      if (name === 'Relationship' && targets.size < MAX_SHEETS)
        targets.set(attributes.Id ?? '', attributes.Target ?? '');
    },
  });
  return targets;
}
