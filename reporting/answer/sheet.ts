import { linesOf } from './pieces.ts';

/** A column's type. `text` may hold anything; `month` and `year` are texts, `day` is `YYYY-MM-DD`. */
export type ColumnKind = 'text' | 'day' | 'count' | 'decimal' | 'percent';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Indexes of `cellXfs` in `stylesPart`. */
const styles = { header: 1, day: 2, decimal: 3, percent: 3, count: 4 } as const;

/**
 * One sheet, row by row: headings that stay in sight, then the rows. Numbers are numbers with all their
 * digits, days are dates, and texts are texts: a program never takes an inline string for a formula.
 * @param rows lines of JSON arrays of texts, in the order of the columns.
 * @param isFirst the sheet that is shown when the file is opened.
 */
export async function* sheetPart(
  columns: readonly Column[],
  rows: AsyncIterable<unknown>,
  isFirst = true,
): AsyncGenerator<string> {
  const widths = columns.map(
    ({ kind, name }, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${Math.max(kind === 'text' ? 22 : 14, name.length + 2)}" customWidth="1"/>`,
  );
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"${isFirst ? ' tabSelected="1"' : ''}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  yield `<row>${columns.map(({ name }) => textCell(name, styles.header)).join('')}</row>`;
  for await (const lines of linesOf(rows)) yield lines.map((line) => rowOf(columns, line)).join('');
  yield '</sheetData></worksheet>';
}

function rowOf(columns: readonly Column[], line: string): string {
  const values = JSON.parse(line) as unknown[];
  return `<row>${columns.map(({ kind }, at) => cellOf(kind, values[at])).join('')}</row>`;
}

/** Null (such as a change from nothing) is an empty cell. */
function cellOf(kind: ColumnKind, value: unknown): string {
  if (value === null || value === undefined) return '<c/>';
  switch (kind) {
    case 'text':
      return textCell(String(value));
    case 'day':
      return `<c s="${styles.day}"><v>${serialOf(String(value))}</v></c>`;
    case 'decimal':
    case 'percent':
    case 'count':
      return `<c s="${styles[kind]}"><v>${value}</v></c>`;
  }
}

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets, counted with their 29 February 1900. */
const epoch = Date.UTC(1899, 11, 30);
const serialOf = (day: string): number => Math.round((Date.parse(`${day}T00:00:00Z`) - epoch) / DAY_MS);

const textCell = (text: string, style?: number): string =>
  `<c${style === undefined ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * XML 1.0 cannot hold most control characters, half surrogates and two others. A spreadsheet reads `_x1200_` as one
 * character (ECMA-376, ST_Xstring): a text that looks so has its underscore written in that form, and so has `\r`, which a
 * reader of XML takes for `\n`.
 */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll('\r', '_x000D_')
    .replaceAll(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? '');

const numberFormats = `<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="#,##0.00####"/></numFmts>`;
const xf = (format: number, font = 0): string =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;

export const stylesPart = `${declaration}<styleSheet xmlns="${main}">${numberFormats}<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${xf(0)}${xf(0, 1)}${xf(164)}${xf(165)}${xf(3)}</cellXfs></styleSheet>`;

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts beside the sheets, which are `xl/worksheets/sheet1.xml` and so on, by their paths in the file. */
export function fixedParts(sheets: readonly string[]): Readonly<Record<string, string>> {
  const each = (write: (name: string, number: number) => string): string =>
    sheets.map((name, at) => write(name, at + 1)).join('');
  const overrides = each(
    (_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
  );
  const listed = each((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`);
  const related = each(
    (_, n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  );
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/>${overrides}<Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packages}/relationships">${related}<Relationship Id="rId${sheets.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': stylesPart,
  };
}
