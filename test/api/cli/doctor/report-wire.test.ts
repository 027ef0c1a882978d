// tier: unit
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkReportWire, type WireFacts } from '../../../../api/cli/doctor/report-wire.ts';
import { makeAuthority } from '../../../support/authority.ts';

const folder = await mkdtemp(join(tmpdir(), 'broadside-wire-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const facts = (changes: Partial<WireFacts> = {}): WireFacts => ({
  ...{ reportWirePort: 5_433, reportWireHost: '0.0.0.0' },
  ...{ reportWireCertificateFile: null, reportWireAllowClearText: false },
  ...changes,
});
const states = async (changes: Partial<WireFacts>): Promise<string[]> =>
  (await checkReportWire(facts(changes))).map(({ state }) => state);

async function certificateFile(expired: boolean): Promise<string> {
  const { cert } = await (await makeAuthority()).issue({ name: 'reports', hosts: ['localhost'], expired });
  const file = join(folder, expired ? 'old.pem' : 'new.pem');
  await writeFile(file, cert);
  return file;
}

it('says nothing where there is no listener, and warns where other machines are refused', async () => {
  expect(await states({ reportWirePort: null })).toEqual([]);
  expect(await states({ reportWireHost: '127.0.0.1' })).toEqual(['ok']);
  expect(await states({ reportWireAllowClearText: true })).toEqual(['ok']);
  expect(await states({})).toEqual(['warning']);
});

it('reads the certificate, its end, and that it is none', async () => {
  // A test's certificate is good for a day.
  expect(await states({ reportWireCertificateFile: await certificateFile(false) })).toEqual(['warning']);
  expect(await states({ reportWireCertificateFile: await certificateFile(true) })).toEqual(['problem']);
  expect(await states({ reportWireCertificateFile: join(folder, 'none.pem') })).toEqual(['problem']);
  const inAMonth = await checkReportWire(
    facts({ reportWireCertificateFile: await certificateFile(false) }),
    Date.now() - 30 * 86_400_000,
  );
  expect(inAMonth.map(({ state }) => state)).toEqual(['ok']);
});
