import { networkInterfaces } from 'node:os';
import type { Picture } from '../../engine/kit/command-line/terminal.ts';
import { isLoopbackHost } from '../settings/loopback-host.ts';
import { qrCode } from './qr-code.ts';

export interface Reach {
  readonly publicBaseUrl: string | null;
  /** Where the API listens. */
  readonly api: string;
  /** The terminal's width; undefined: there is none. */
  readonly columns: number | undefined;
  /** The machine's address in its network; null: it is in none. */
  readonly address?: string | null;
  /** The script of npm that started it, `npx` by npx; undefined: none did. */
  readonly script?: string | undefined;
}

/** As it was started: in a checkout `broadside` is not on the path before somebody puts it there. */
const commands: Readonly<Record<string, string>> = { start: 'npm start', npx: 'npx broadside up' };

/** How a phone reaches a link of this Broadside, as a part of the welcome text. */
export function phoneLines(link: string, reach: Reach): (string | Picture)[] {
  const { publicBaseUrl, api, columns, address = ownAddress(), script } = reach;
  if (publicBaseUrl === null || isLoopbackHost(new URL(publicBaseUrl).hostname)) {
    if (address === null) return [];
    const base = `http://${address}:${new URL(api).port}`;
    return [
      '  Phones in your network reach it where it is started with these:',
      '',
      `    API_HOST=0.0.0.0 PUBLIC_BASE_URL=${base} ${commands[script ?? ''] ?? 'broadside up'}`,
      '',
    ];
  }
  const lines = codeLines(link, columns);
  return publicBaseUrl.startsWith('https:') ? lines : [...lines, ...plainHttp(publicBaseUrl)];
}

/** None without a terminal: a camera would have nothing to read. */
function codeLines(link: string, columns: number | undefined): (string | Picture)[] {
  if (columns === undefined) return [];
  const code = qrCode(link);
  return code.columns > columns
    ? [`  In ${code.columns} columns, a terminal shows it as a QR code, too.`, '']
    : ['  The same link for a phone:', '', code.picture, ''];
}

const plainHttp = (base: string): string[] => [
  `  On a phone, ${base} opens the dashboard and the example page.`,
  '  Over plain http no browser lets a page ask for notifications: the example page',
  '  says what helps.',
  '',
];

/** The first IPv4 address that other machines may know. */
function ownAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}
