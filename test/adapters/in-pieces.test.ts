// tier: unit
import { setImmediate as nextTurn } from 'node:timers';
import { expect, it } from 'vitest';
import { inPieces } from '../../engine/adapters/clickhouse/in-pieces.ts';

it('parses a large answer in turns, so that others get theirs between them', async () => {
  const rows = Array.from({ length: 50_000 }, (_, id) => ({ json: <Row>() => ({ id }) as Row }));
  let parsed = 0;
  let turns = 0;
  let most = 0;
  let before = 0;
  const count = (): void => {
    turns++;
    most = Math.max(most, parsed - before);
    before = parsed;
    if (parsed < rows.length) nextTurn(count);
  };
  nextTurn(count);
  async function* stream<Row>(): AsyncGenerator<readonly { json(): Row }[]> {
    yield rows.slice(0, 10);
    yield rows.slice(10);
  }
  const ids: number[] = [];
  for await (const some of inPieces<{ id: number }>({ stream })) {
    ids.push(...some.map(({ id }) => id));
    parsed = ids.length;
  }
  expect(ids).toEqual(rows.map((_, id) => id));
  expect(turns).toBeGreaterThan(10);
  expect(most).toBeLessThanOrEqual(5_000);
});
