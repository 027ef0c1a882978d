// tier: postgres
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { checkCertificate } from '../../../../api/cli/doctor/certificate.ts';
import { makeAuthority } from '../../../support/authority.ts';
import { createTestDatabase } from '../../../support/postgres.ts';
import { examineWith, healthy } from './support.ts';

describe('broadside doctor at the certificate of PUBLIC_BASE_URL', async () => {
  const db = await createTestDatabase();
  afterAll(() => db?.drop());

  const serve = async (options: Parameters<Awaited<ReturnType<typeof makeAuthority>>['issue']>[0]) => {
    const pair = await (await makeAuthority()).issue(options);
    const server = createTlsServer(pair, (socket) => void socket.on('error', () => {}));
    await once(server.listen(0), 'listening');
    return { server, at: `localhost:${(server.address() as AddressInfo).port}` };
  };
  const look = async (options: Parameters<typeof serve>[0]) => {
    const { server, at } = await serve(options);
    try {
      const { wrong } = await examineWith({ ...healthy(db.url), PUBLIC_BASE_URL: `https://${at}` });
      return { at, found: wrong('certificate') };
    } finally {
      server.close();
    }
  };

  it('names one that has ended, one of another name, and one that ends soon', async () => {
    const ended = await look({ name: 'site', hosts: ['localhost'], expired: true });
    expect(ended.found).toMatchObject([
      {
        state: 'problem',
        text: expect.stringMatching(/^the certificate of localhost:\d+ ended on \d{4}-/),
      },
    ]);
    const other = await look({ name: 'site', hosts: ['other.example.com'] });
    expect(other.found).toMatchObject([
      {
        state: 'problem',
        text: `the certificate of ${other.at} is of another name: DNS:other.example.com`,
        mend: expect.stringContaining('certificate of localhost'),
      },
    ]);
    // Those of the test's authority live for a day.
    expect((await look({ name: 'site', hosts: ['localhost'] })).found).toMatchObject([
      { state: 'warning', text: expect.stringContaining('in 0 days') },
    ]);
  });

  it('finds nothing wrong with a long one, but that this machine does not trust it', async () => {
    const { server, at } = await serve({ name: 'site', hosts: ['localhost'] });
    const monthAgo = Date.now() - 30 * 86_400_000;
    expect(await checkCertificate(`https://${at}`, monthAgo)).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/^this machine does not trust .* \(UNABLE_TO_/),
    });
    server.close();
    await once(server, 'close');
    expect(await checkCertificate(`https://${at}`)).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('cannot be reached'),
    });
  });

  it('skips an address without TLS, and none', async () => {
    expect(await checkCertificate('http://127.0.0.1:8080')).toMatchObject({ state: 'skipped' });
    expect(await checkCertificate(null)).toMatchObject({ state: 'skipped' });
  });
});
