import type { Operation, Parameter } from './operations.ts';
import { pythonName, typeOf } from './python-types.ts';

const head = `"""Every operation of the API, under its name. Generated from its OpenAPI text."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union

from . import types
from ._pages import Items
from ._transport import Cancellation, Form, Transport


class Broadside(Transport):
    """The API of Broadside: see the README for an example."""
`;

/** \`_client.py\`: the class with a method an operation. */
export const pythonClient = (operations: readonly Operation[]): string =>
  `${head}\n${operations.map(methodOf).join('\n')}`;

function methodOf(operation: Operation): string {
  const { id, method, path, answer, takesKey, pathNames, body, headers, query } = operation;
  const named = [...headers, ...query];
  const parameters = [
    'self',
    ...pathNames.map((name) => `${name}: Union[str, int]`),
    ...(body === null ? [] : [`body: ${bodyTypeOf(operation)}`]),
    '*',
    ...headers.map(({ name }) => `${pythonName(name)}: str`),
    ...query.map((each) => `${pythonName(each.name)}: ${queryTypeOf(each)} = None`),
    ...(takesKey ? ['idempotency_key: Optional[str] = None'] : []),
    'timeout: Optional[float] = None',
    'max_retries: Optional[int] = None',
    'cancellation: Optional[Cancellation] = None',
  ];
  const given = (all: readonly Parameter[]): string =>
    `{${all.map(({ name }) => `"${name}": ${pythonName(name)}`).join(', ')}}`;
  const sent = [
    `"${id}", "${method}", "${path}"`,
    `ids={${pathNames.map((name) => `"${name}": ${name}`).join(', ')}}`,
    ...(headers.length === 0 ? [] : [`headers=${given(headers)}`]),
    ...(query.length === 0 ? [] : [`query=${given(query)}`]),
    ...(body === null ? [] : ['body=body']),
    ...(takesKey ? ['takes_key=True, idempotency_key=idempotency_key'] : []),
    'timeout=timeout, max_retries=max_retries, cancellation=cancellation',
  ];
  const send = answer === 'page' ? '_items' : answer === 'data' ? '_send_for_data' : '_send';
  return `    def ${pythonName(id)}(
        ${parameters.join(',\n        ')},
    ) -> ${resultOf(operation)}:
${commentOf(operation, named)}
        return self.${send}(
            ${sent.join(',\n            ')},
        )
`;
}

function bodyTypeOf({ body, takesForm }: Operation): string {
  const type = qualified(typeOf(body ?? {}, 'Body', null));
  return takesForm ? `Union[${type}, Form]` : type;
}

const queryTypeOf = ({ schema, name }: Parameter): string => {
  const type = typeOf(schema, name, null);
  return type.startsWith('Optional[') ? type : `Optional[${type}]`;
};

function resultOf({ answer, answerSchema }: Operation): string {
  if (answer === 'none') return 'None';
  const type = qualified(typeOf(answerSchema, 'Answer', null));
  return answer === 'page' ? `Items[${type}]` : type;
}

/** The objects of the API stand in a module of their own. */
const qualified = (type: string): string =>
  type.replaceAll(/\b(?!Any\b|Dict\b|List\b|Literal\b|Optional\b|Union\b|None\b)([A-Z]\w+)\b/g, 'types.$1');

function commentOf({ summary, description }: Operation, named: readonly Parameter[]): string {
  const parameters = named
    .filter((each) => each.description !== '')
    .map((each) => `:param ${pythonName(each.name)}: ${each.description.replaceAll(/\s+/g, ' ')}`);
  const blocks = [`${summary}.`, description, parameters.join('\n')].filter((each) => each !== '');
  const text = blocks.join('\n\n').replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const lines = `"""${text}\n"""`.split('\n');
  return lines.map((line) => (line === '' ? '' : `        ${line}`)).join('\n');
}
