// tier: system
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'api/docs/alerts.md'), 'utf8');
const snippet = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)?.[1] ?? '';

const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const body = '{"type":"alert.test","data":{"title":"Größe"}}';

/** What a receiver gets, signed now. */
function signed(): Record<string, string> {
  const at = new Date();
  return {
    'webhook-id': 'alert_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('alert_1', at, body),
  };
}

const run: Record<string, (given: string, headers: Record<string, string>) => string> = {
  ts: (given, headers) =>
    execFileSync(
      'node',
      [
        '--input-type=module-typescript',
        '-e',
        `${snippet('ts')}\nconst [, secret, body, headers] = process.argv;
         console.log((verifyAlert(secret!, body!, JSON.parse(headers!)) as { type: string }).type);`,
        '--',
        ...[secret, given, JSON.stringify(headers)],
      ],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    ),
  python: (given, headers) =>
    execFileSync(
      'python3',
      [
        '-c',
        `${snippet('python')}\nimport sys\nprint(verify_alert(sys.argv[1], sys.argv[2].encode(), json.loads(sys.argv[3]))["type"])`,
        ...[secret, given, JSON.stringify(headers)],
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    ),
};

describe('the guide’s receivers', () => {
  it.each(['ts', 'python'])('in %s accept what Broadside signs, and nothing that was changed', (language) => {
    const verify = run[language];
    if (verify === undefined) throw new Error(`no ${language}`);
    expect(verify(body, signed()).trim()).toBe('alert.test');
    expect(() => verify(body.replace('test', 'best'), signed())).toThrow();
    expect(() => verify(body, { ...signed(), 'webhook-id': 'alert_2' })).toThrow();
    expect(() => verify(body, { ...signed(), 'webhook-timestamp': '1700000000' })).toThrow();
  });
});
