// tier: core, clickhouse
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createReportToken, everything } from '../support.ts';
import { openWireWorld } from './support.ts';

const RUNS = process.env.THOROUGH === '1' ? 400 : 40;

const test = await openWireWorld();
const token = await createReportToken(test.world.database, everything);
afterAll(() => test.close());

const message = (tag: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(tag, 'latin1'), length, body]);
};
const startup = (): Buffer =>
  message(
    '',
    Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from('user\0reports\0database\0broadside\0\0')]),
  );
const password = (): Buffer => message('p', Buffer.from(`${token}\0`));

/** All that the server answers to these bytes, after which the client leaves. */
async function answerTo(bytes: Buffer): Promise<Buffer> {
  const socket = connect(test.wire.port, '127.0.0.1');
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  socket.on('error', () => {});
  socket.write(bytes);
  // What is not a whole message yet is waited for: this client does not send the rest.
  const leaves = setTimeout(() => socket.end(), 100);
  await once(socket, 'close');
  clearTimeout(leaves);
  return Buffer.concat(pieces);
}

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const anyMessage = fc
  .tuple(fc.constantFrom(...'QPBDECHSFXpdfc'), anyBytes)
  .map(([tag, body]) => message(tag, body));

it('survives any bytes before and after a log-in, and gives no client the answer of another', async () => {
  await fc.assert(
    fc.asyncProperty(anyBytes, fc.array(anyMessage, { maxLength: 8 }), async (before, after) => {
      expect((await answerTo(before)).toString('latin1')).not.toContain('Z\0\0\0\u0005');
      await answerTo(Buffer.concat([startup(), password(), ...after]));
    }),
    { numRuns: RUNS },
  );
  const client = await test.connect(token);
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await client.end();
  expect(await test.exposition()).toMatch(
    /broadside_report_wire_statements_total\{ending="failed"\} 0|^(?![\s\S]*ending="failed")/,
  );
}, 120_000);

it('refuses a message that says it is larger than any', async () => {
  const large = Buffer.concat([startup(), password(), Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff])]);
  expect((await answerTo(large)).toString('latin1')).toContain('08P01');
});
