// tier: unit
import jsQr from 'jsqr';
import { describe, expect, it } from 'vitest';
import { phoneLines } from '../../../api/up/phones.ts';
import { qrCode } from '../../../api/up/qr-code.ts';

const link = 'http://192.168.1.20:8080/dashboard/password?link=2kJpQhXw7mVtY4sN8cRbE1zLgU6dAfTo';
const SCALE = 4;

/** What a camera sees of the lines on a dark terminal, as an independent reader reads it. */
function readFromScreen(lines: readonly string[], isInverted = false): string | undefined {
  const rows = lines.filter((line) => line.trim() !== '');
  const width = Math.max(...rows.map((row) => row.length));
  const height = rows.length * 2;
  const pixels = new Uint8ClampedArray(width * SCALE * height * SCALE * 4).fill(255);
  for (let y = 0; y < height * SCALE; y++)
    for (let x = 0; x < width * SCALE; x++) {
      const line = Math.floor(y / SCALE);
      const character = rows[line >> 1]?.[Math.floor(x / SCALE)] ?? ' ';
      const isDrawn = character === '█' || character === (line % 2 === 0 ? '▀' : '▄');
      pixels.fill(
        isDrawn === isInverted ? 0 : 255,
        (y * width * SCALE + x) * 4,
        (y * width * SCALE + x) * 4 + 3,
      );
    }
  return jsQr.default(pixels, width * SCALE, height * SCALE)?.data;
}

describe('the QR code of the first link', () => {
  it('is read by a reader of others, on a dark terminal and on a light one', () => {
    const lines = qrCode(link, 80);
    expect(readFromScreen(lines)).toBe(link);
    expect(readFromScreen(lines, true)).toBe(link);
  });

  it('has characters alone, no colours', () => {
    expect(qrCode(link, 80).join('')).toMatch(/^[ █▀▄]+$/);
  });

  it('is left out where there is no terminal, or it is too narrow', () => {
    expect(qrCode(link, undefined)).toEqual([]);
    const width = Math.max(...qrCode(link, 80).map((line) => line.length));
    expect(qrCode(link, width)).not.toEqual([]);
    expect(qrCode(link, width - 1)).toEqual([]);
  });
});

describe('how a phone reaches a link', () => {
  const reach = { publicBaseUrl: null, api: 'http://127.0.0.1:8080', columns: 80, address: '192.168.1.20' };
  const codeOf = (lines: readonly string[]) => lines.filter((line) => /[█▀▄]/.test(line));

  it('is by the address in the network, and says what plain http cannot', () => {
    const lines = phoneLines(link, { ...reach, publicBaseUrl: 'http://192.168.1.20:8080' });
    expect(readFromScreen(codeOf(lines))).toBe(link);
    expect(lines.join('\n')).toContain('Over plain http');
  });

  it('has no warning over https', () => {
    const own = 'https://push.example.com/dashboard/password?link=abc';
    const lines = phoneLines(own, { ...reach, publicBaseUrl: 'https://push.example.com' });
    expect(readFromScreen(codeOf(lines))).toBe(own);
    expect(lines.join('\n')).not.toContain('plain http');
  });

  it('is not there on loopback, and says how to open it', () => {
    const lines = phoneLines(link, reach);
    expect(lines.join('\n')).toContain('API_HOST=0.0.0.0 PUBLIC_BASE_URL=http://192.168.1.20:8080');
    expect(codeOf(lines)).toEqual([]);
    expect(phoneLines(link, { ...reach, address: null })).toEqual([]);
  });

  it('names the command that started it', () => {
    const commandOf = (script?: string): string | undefined =>
      phoneLines(link, { ...reach, script })
        .join('\n')
        .match(/:8080 (.+)/)?.[1];
    expect([commandOf('start'), commandOf('npx'), commandOf()]).toEqual([
      ...['npm start', 'npx broadside up', 'broadside up'],
    ]);
  });
});
