import { fileURLToPath } from 'node:url';
import type { Picture } from '../../engine/kit/command-line/terminal.ts';
import type { FirstAdmin } from './first-admin.ts';
import { phoneLines, type Reach } from './phones.ts';

const commandFolder = fileURLToPath(new URL('../bin', import.meta.url));

export interface Welcome {
  readonly api: string;
  readonly reporting: string;
  readonly internal: string;
  readonly folder: string;
  readonly admin: FirstAdmin | null;
  readonly reach: Omit<Reach, 'api'>;
}

/** The welcome text after a start: the addresses, and the first steps. */
export function welcome({ api, reporting, internal, folder, admin, reach }: Welcome): (string | Picture)[] {
  const lines = [
    '',
    '  Broadside is running. Ctrl-C stops it.',
    '',
    `    Dashboard   ${api}/dashboard/`,
    `    API         ${api}/api/v1/client`,
    `    Docs        ${api}/docs`,
    `    OpenAPI     ${api}/api/v1/openapi.json`,
    `    Reporting   ${reporting}/api/v1`,
    `    Health      ${internal}/health/ready`,
    `    Metrics     ${internal}/metrics`,
    `    Data        ${folder}`,
    '',
  ];
  if (admin === null) return lines;
  const whatHappened = admin.isNew
    ? `  This is the first start: a super-admin ${admin.email} was made.`
    : `  Nobody has logged in as ${admin.email} yet. The former link has ended.`;
  const first = [
    whatHappened,
    '  Open this link in your browser to choose a password. It is good once, within',
    '  7 days:',
    '',
    `    ${admin.passwordUrl}`,
    '',
    ...phoneLines(admin.passwordUrl, { ...reach, api }),
    '  In another terminal, this puts the command line on the path:',
    '',
    `    export PATH="${commandFolder}:$PATH"`,
    '',
    '  A lost link, or a forgotten password: this prints a new one.',
    '',
    `    broadside user invite --email ${admin.email} \\`,
    `      --organization "${admin.organization}"`,
    '',
    '  Programs use an API token. This makes one:',
    '',
    `    broadside token create --email ${admin.email} \\`,
    `      --organization "${admin.organization}" --name laptop --abilities all`,
    '',
  ];
  return [...lines, ...first];
}
