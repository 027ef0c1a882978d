import type { Json } from '../named-schemas.ts';
import type { SampleHeader, SampleRequest } from './request.ts';

/** With the requests library. Standard library and function names are the reader's. */
export function pythonSample({ method, path, baseVariable, headers, body, answer }: SampleRequest): string {
  // The library sets the content type of `json` itself.
  const own = headers.filter(({ name }) => body === undefined || name !== 'Content-Type');
  return [
    'import os',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    os.environ["BASE"] + ${JSON.stringify(path)},`.replace('BASE', baseVariable),
    ...(own.length === 0 ? [] : ['    headers={', ...own.map(headerLine), '    },']),
    ...(body === undefined ? [] : [`    json=${literal(body, '    ')},`]),
    ...(answer === 'events' ? ['    stream=True,'] : []),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    ...readings[answer],
  ].join('\n');
}

const readings: Readonly<Record<SampleRequest['answer'], readonly string[]>> = {
  json: ['print(response.json())'],
  events: ['for line in response.iter_lines(decode_unicode=True):', '    print(line)'],
  none: [],
};

function headerLine({ name, before, variable }: SampleHeader): string {
  const value = variable === null ? JSON.stringify(before) : `${textBefore(before)}os.environ["${variable}"]`;
  return `        "${name}": ${value},`;
}

const textBefore = (before: string): string => (before === '' ? '' : `${JSON.stringify(before)} + `);

/** A JSON text is a Python string as it stands. */
function literal(value: Json, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map((each) => `${inner}${literal(each, inner)},`)
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${literal(each, inner)},`);
  return lines.length === 0 ? `${open}${close}` : [open, ...lines, `${indent}${close}`].join('\n');
}
