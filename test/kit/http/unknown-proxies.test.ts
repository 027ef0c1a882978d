// tier: unit
import fastify, { type FastifyBaseLogger } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { createIsTrusted } from '../../../engine/kit/http/trusted-proxies.ts';
import { registerUnknownProxies } from '../../../engine/kit/http/unknown-proxies.ts';
import { createManualClock } from '../../support/manual-clock.ts';

function start(trusted: readonly string[]) {
  const lines: { level: number | string; msg: string; peer?: string; header?: string }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger: FastifyBaseLogger = createLogger({ level: 'warn', role: 'api', destination });
  const app = fastify({ loggerInstance: logger });
  const clock = createManualClock();
  registerUnknownProxies(app, createIsTrusted(trusted), clock);
  app.get('/', async () => 'ok');
  const ask = (
    remoteAddress: string,
    headers: Record<string, string> = { 'x-forwarded-for': '203.0.113.9' },
  ) => app.inject({ url: '/', remoteAddress, headers });
  return { lines, clock, ask };
}

describe('X-Forwarded-For', () => {
  it('from a peer that TRUSTED_PROXIES does not name is logged once an hour, with how to resolve it', async () => {
    const { lines, clock, ask } = start(['10.0.0.0/8']);
    for (let n = 0; n < 3; n++) await ask('172.18.0.1');
    expect(lines).toEqual([
      expect.objectContaining({
        peer: '172.18.0.1',
        header: 'x-forwarded-for',
        msg: expect.stringMatching(/share one rate limit .* Set TRUSTED_PROXIES=172\.18\.0\.1/),
      }),
    ]);
    clock.advance(3_600_000);
    await ask('172.18.0.1');
    expect(lines).toHaveLength(2);
  });

  it('from a trusted proxy, and requests without it, are not logged', async () => {
    const { lines, ask } = start(['10.0.0.0/8']);
    await ask('10.1.2.3');
    await ask('192.0.2.1', {});
    expect(lines).toEqual([]);
  });

  it('is logged for Forwarded as well; an outside peer is named by its network, and forwarded addresses are not', async () => {
    const { lines, ask } = start([]);
    await ask('93.184.216.34', { forwarded: 'for=198.51.100.17' });
    await ask('2606:2800:220:1:248:1893:25c8:1946');
    expect(lines.map(({ peer }) => peer)).toEqual(['93.184.216.0/24', '2606:2800:220:1::/64']);
    expect(JSON.stringify(lines)).not.toMatch(/198\.51\.100\.17|203\.0\.113\.9|1893/);
  });

  it('is logged for a hundred peers in an hour, not more', async () => {
    const { lines, ask } = start([]);
    for (let n = 0; n < 130; n++) await ask(`10.0.0.${n}`);
    expect(lines).toHaveLength(100);
  });
});
