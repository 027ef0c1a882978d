// tier: unit

import fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { registerReadJson } from '../../../engine/kit/http/read-json.ts';

const schema = { body: {} };

/** Answers with what it has read. */
function echo(register: (app: FastifyInstance) => void): FastifyInstance {
  const app = fastify({ onProtoPoisoning: 'error', onConstructorPoisoning: 'error' });
  register(app);
  app.post('/', { schema }, async (request) => ({ read: request.body }));
  return app;
}

const own = echo(registerReadJson);
const plain = echo(() => {});
afterAll(() => Promise.all([own.close(), plain.close()]));

async function readBy(app: FastifyInstance, payload: string): Promise<unknown> {
  const answer = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  return answer.statusCode === 200 ? answer.json() : answer.statusCode;
}

/** A letter as it is, or as an escape. */
const letters = (word: string) =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((escaped) =>
      [...word]
        .map((letter, at) =>
          escaped[at] === true ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
        )
        .join(''),
    );
const name = fc.oneof(
  ...['__proto__', 'constructor', 'prototype', 'title', '\\\\u005f_proto__', '\\\\'].map((word) =>
    word.startsWith('\\') ? fc.constant(word) : letters(word),
  ),
);
const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1', 'null', '"text"', '"__proto__"', '"\\\\"', '"\\u00e9"', '{}', '[]', ''),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  ),
  object: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 3 })
    .map((fields) => `{${fields.map(([key, each]) => `"${key}":${each}`).join(',')}}`),
}));

describe('a body of JSON', () => {
  it('is read and refused as Fastify itself does it, whatever its names are and however they are written', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(value, async (text) => {
        const expected = await readBy(plain, text);
        if (typeof expected === 'number') refused++;
        expect(await readBy(own, text)).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it('may end in the middle of an escape', async () => {
    for (const text of ['"\\', '"\\u', '"\\u005', '{"a":"\\\\'])
      expect(await readBy(own, text)).toBe(await readBy(plain, text));
  });
});
