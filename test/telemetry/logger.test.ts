// tier: unit
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../engine/adapters/telemetry/logger.ts';
import { MAX_TEXT, scrubCredentials } from '../../engine/adapters/telemetry/redact.ts';

function startLogger(
  options: { format?: 'auto' | 'pretty' | 'text' | 'json'; level?: 'info' | 'debug' } = {},
) {
  const lines: string[] = [];
  const logger = createLogger({
    level: options.level ?? 'info',
    role: 'engine',
    format: options.format ?? 'json',
    destination: { write: (line: string) => lines.push(line) },
  });
  return { logger, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the logger', () => {
  afterEach(() => vi.restoreAllMocks());

  it('writes one JSON object a line, with its level in words, the time and the role', () => {
    const { logger, records } = startLogger();
    logger.info({ deliveryId: 7 }, 'delivery planned');
    expect(records()).toEqual([
      expect.objectContaining({ level: 'info', role: 'engine', deliveryId: 7, msg: 'delivery planned' }),
    ]);
    expect(new Date(String(records()[0]?.time)).getTime()).toBeGreaterThan(Date.UTC(2026, 0, 1));
  });

  it('drops lines below its level', () => {
    const { logger, lines } = startLogger({ level: 'info' });
    logger.debug({}, 'too fine');
    expect(lines).toEqual([]);
  });

  it.each([
    'authorization',
    'Authorization',
    'token',
    'accessToken',
    'refresh_token',
    'secret',
    'clientSecret',
    'p256dh',
    'auth',
    'password',
    'privateKey',
    'vapid_private_key',
    'MASTER_KEY',
    'DATABASE_URL',
    'databaseReadUrls',
    'endpoint',
    'set-cookie',
  ])('masks %s at any depth, in lists, and in the fields of a child logger', (name) => {
    const { logger, lines } = startLogger();
    logger.info(
      { [name]: 'hush-1', headers: { [name]: 'hush-2' }, rows: [{ a: { [name]: 'hush-3' } }] },
      'x',
    );
    logger.child({ [name]: 'hush-4' }).info({}, 'x');
    expect(lines.join('')).not.toContain('hush');
    expect(lines.join('').match(/\[redacted\]/g)).toHaveLength(4);
  });

  it('keeps fields whose names only resemble a secret', () => {
    const { logger, records } = startLogger();
    logger.info({ key: 'app:1', author: 'A', tokens: 3, publicKey: 'B' }, 'x');
    expect(records()[0]).toMatchObject({ key: 'app:1', author: 'A', tokens: 3, publicKey: 'B' });
  });

  it('masks credentials inside texts and errors: URLs and Authorization headers', () => {
    const { logger, lines } = startLogger();
    const error = new Error('cannot reach postgres://app:hush@db:5432/x');
    logger.error({ err: error, header: 'Bearer hush', other: 'vapid t=hush, k=BPub' }, 'x');
    expect(lines.join('')).not.toContain('hush');
    expect(lines.join('')).toContain('@db:5432/x');
  });

  it('masks a password with colons in it, and a token in place of the user', () => {
    const text = scrubCredentials('postgres://app:hu:sh@db/x https://hush@git.example/x ://a/b@c');
    expect(text).toBe('postgres://[redacted]@db/x https://[redacted]@git.example/x ://a/b@c');
  });

  it('cuts a long text before it searches it, and leaves no half of a password at the cut', () => {
    const searched: number[] = [];
    const { replaceAll } = String.prototype;
    vi.spyOn(String.prototype, 'replaceAll').mockImplementation(function (this: string, ...given) {
      searched.push(this.length);
      return replaceAll.apply(this, given as Parameters<typeof replaceAll>);
    });
    const { logger, lines } = startLogger();
    logger.error({ err: new Error('a-'.repeat(500_000)), text: `x://${':'.repeat(1_000_000)}` }, 'x');
    vi.restoreAllMocks();
    expect(searched.length).toBeGreaterThan(4);
    expect(Math.max(...searched)).toBeLessThanOrEqual(MAX_TEXT + '[redacted]'.length);
    expect(lines.join('').length).toBeLessThan(5 * MAX_TEXT);
    const atTheCut = scrubCredentials(`${' '.repeat(MAX_TEXT - 20)}postgres://app:hush-hush-hush@db/x`);
    expect(atTheCut).toMatch(/postgres:\/\/\[redacted\]\[cut\]$/);
  });

  it('logs an error’s name, code, stack and causes, and none of the rows that a driver attaches', () => {
    const { logger, records } = startLogger();
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (endpoint)=(hush)',
    });
    logger.error({ err: new Error('the statement failed', { cause }) }, 'x');
    const { err } = records()[0] as { err: { stack: string; cause: object } };
    expect(err).toMatchObject({ type: 'Error', message: 'the statement failed' });
    expect(err.stack).toContain('logger.test.ts');
    expect(err.cause).toMatchObject({ message: 'duplicate key', code: '23505' });
    expect(err.cause).not.toHaveProperty('detail');
  });

  it('ends on fields that contain themselves', () => {
    const { logger, lines } = startLogger();
    const fields: Record<string, unknown> = { name: 'a' };
    fields.self = fields;
    logger.info(fields, 'x');
    expect(lines).toHaveLength(1);
  });

  it('writes for people by itself on a terminal, and JSON elsewhere', () => {
    const wasTerminal = process.stdout.isTTY;
    try {
      for (const [isTTY, shape] of [
        [true, /^\d\d:\d\d:\d\d info /],
        [false, /^\{"level":"info"/],
      ] as const) {
        process.stdout.isTTY = isTTY;
        const { logger, lines } = startLogger({ format: 'auto' });
        logger.info({ deliveryId: 7 }, 'delivery planned');
        expect(lines).toEqual([expect.stringMatching(shape)]);
      }
    } finally {
      process.stdout.isTTY = wasTerminal;
    }
  });

  it.each(['pretty', 'text'] as const)(
    'writes for people one readable line (%s), and an error as its stack',
    (format) => {
      const { logger, lines } = startLogger({ format });
      logger.warn({ shard: 3, err: new Error('away') }, 'the outbox waits');
      expect(lines[0]).toMatch(
        /^\d\d:\d\d:\d\d warn {2}engine {2}the outbox waits {2}shard=3\n {2}Error: away\n {6}at /,
      );
    },
  );
});
