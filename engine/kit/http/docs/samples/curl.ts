import type { SampleHeader, SampleRequest } from './request.ts';

export function curlSample({ method, path, baseVariable, headers, body, answer }: SampleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...(answer === 'events' ? ['--no-buffer'] : []),
    ...headers.map((header) => `--header ${headerText(header)}`),
    ...(body === undefined ? [] : [`--data ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return [`curl --fail-with-body "$${baseVariable}${path}"`, ...options].join(' \\\n  ');
}

const headerText = ({ name, before, variable }: SampleHeader): string =>
  variable === null ? quoted(`${name}: ${before}`) : `"${name}: ${before}$${variable}"`;

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll(`'`, `'\\''`)}'`;
