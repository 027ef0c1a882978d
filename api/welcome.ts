import type { FirstAdmin } from './first-admin.ts';

export interface Welcome {
  readonly api: string;
  readonly reporting: string;
  readonly internal: string;
  readonly folder: string;
  readonly admin: FirstAdmin | null;
}

/** What a person reads who started Broadside: where it is, and what to do first. */
export function welcome({ api, reporting, internal, folder, admin }: Welcome): string {
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
  if (admin === null) return lines.join('\n');
  const first = [
    `  This is the first start: a super-admin ${admin.email} was made. Open this link in your browser`,
    '  to choose a password and go on in the dashboard. It is good once, within 7 days:',
    '',
    `    ${admin.passwordUrl}`,
    '',
    '  Programs use an API token. This makes one:',
    '',
    `    npx broadside token create --email ${admin.email} --organization "${admin.organization}" \\`,
    '      --name laptop --abilities all',
    '',
  ];
  return [...lines, ...first].join('\n');
}
