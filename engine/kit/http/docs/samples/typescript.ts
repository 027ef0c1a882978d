import type { SampleHeader, SampleRequest } from './request.ts';

export function typescriptSample(request: SampleRequest): string {
  const { method, path, baseVariable, headers, body, answer } = request;
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map(headerLine), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ];
  const address = `\`\${process.env.${baseVariable}}${path}\``;
  return [
    options.length === 0
      ? `const response = await fetch(${address});`
      : [`const response = await fetch(${address}, {`, ...options, '});'].join('\n'),
    `if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);`,
    ...readings[answer],
  ].join('\n');
}

const readings: Readonly<Record<SampleRequest['answer'], readonly string[]>> = {
  json: ['console.log(await response.json());'],
  events: [
    'for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {',
    '  console.log(chunk);',
    '}',
  ],
  none: [],
};

const headerLine = ({ name, before, variable }: SampleHeader): string => {
  const key = /^[A-Za-z]+$/.test(name) ? name : `'${name}'`;
  const value = variable === null ? `'${before}'` : `\`${before}\${process.env.${variable}}\``;
  return `    ${key}: ${value},`;
};

const indented = (text: string): string => text.replaceAll('\n', '\n  ');
