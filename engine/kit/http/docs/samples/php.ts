import type { Json } from '../named-schemas.ts';
import type { SampleHeader, SampleRequest } from './request.ts';

/** With PHP's cURL extension. */
export function phpSample({ method, path, baseVariable, headers, body, answer }: SampleRequest): string {
  return [
    '<?php',
    `$request = curl_init(getenv('${baseVariable}') . ${quoted(path)});`,
    'curl_setopt_array($request, [',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(headers.length === 0 ? [] : ['    CURLOPT_HTTPHEADER => [', ...headers.map(headerLine), '    ],']),
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, '    ')}),`]),
    '    CURLOPT_FAILONERROR => true,',
    // Events are printed as they come.
    ...(answer === 'events' ? [] : ['    CURLOPT_RETURNTRANSFER => true,']),
    ']);',
    '$answer = curl_exec($request);',
    'if ($answer === false) {',
    '    throw new RuntimeException(curl_error($request));',
    '}',
    ...(answer === 'json' ? ['print_r(json_decode($answer, true));'] : []),
  ].join('\n');
}

function headerLine({ name, before, variable }: SampleHeader): string {
  const text = quoted(`${name}: ${before}`);
  return `        ${variable === null ? text : `${text} . getenv('${variable}')`},`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `\\'`)}'`;

function literal(value: Json, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((each) => `${inner}${literal(each, inner)},`)
    : Object.entries(value).map(([key, each]) => `${inner}${quoted(key)} => ${literal(each, inner)},`);
  // An empty array would become a list.
  if (lines.length === 0) return Array.isArray(value) ? '[]' : 'new stdClass()';
  return ['[', ...lines, `${indent}]`].join('\n');
}
