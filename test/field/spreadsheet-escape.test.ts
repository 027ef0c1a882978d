// tier: unit
import { expect, it } from 'vitest';
import { sheetPart } from '../../reporting/answer/sheet.ts';

/** As ECMA-376 (ST_Xstring) has readers do it: `_xHHHH_` is one character. */
const read = (cell: string): string =>
  cell.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

it('ad units called _x1200_ keep their name in a spreadsheet', async () => {
  const texts = [
    '_x1200_',
    'banner_x0041_top',
    '_x005F_',
    '_xabcd__x0009_',
    '_x12_',
    'x1200_',
    '_x1200',
    '__x1200_',
  ];
  async function* rows() {
    yield Buffer.from(texts.map((text) => `${JSON.stringify([text])}\n`).join(''));
  }
  let sheet = '';
  for await (const piece of sheetPart([{ name: 'ad_unit', kind: 'text' }], rows())) sheet += piece;
  const cells = [...sheet.matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map(([, text = '']) =>
    read(text),
  );
  expect(cells).toEqual(['ad_unit', ...texts]);
});
