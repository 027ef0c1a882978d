// tier: system
import { afterAll, describe, expect, it } from 'vitest';
import { createAnswerCheck, createValidator, examplesOf, operationOf } from './answers.ts';
import { byName } from './routes.ts';
import { exampleRequest, exampleRequests } from './sending.ts';
import { createWorld, makeParams, pathOf } from './world.ts';

/** Every example of the document is tried: those of requests on the API, those of answers on their schemas. */
const world = await createWorld();
afterAll(() => world.api.close());

const { owner, api, document } = world;
const documented = world.routes.filter(({ hidden }) => !hidden);
const undocumented = createAnswerCheck(document);
const validate = createValidator(document);

describe('the examples of the OpenAPI document', () => {
  it.each(byName(documented))(
    'make a request that %s accepts, and an answer that is as documented',
    async (_name, route) => {
      const params = await makeParams(world, owner, route);
      const requests = await exampleRequests(world, route, owner, params);
      expect(requests.length, 'the body has no example').toBeGreaterThan(0);
      for (const request of requests) {
        const answer = await api.app.inject(request);
        expect(answer.statusCode, answer.body).toBeLessThan(300);
        expect(undocumented(route, answer)).toEqual([]);
      }
    },
  );

  it.each(byName(documented.filter(({ body }) => body !== null)))(
    'may have null in %s where the document says so',
    async (_name, route) => {
      const { requestBody } = operationOf(document, route) ?? {};
      const schema = requestBody?.content['application/json']?.schema as { readonly $ref: string };
      const name = schema.$ref.split('/').at(-1) ?? '';
      const { properties } = document.components.schemas[name] as { readonly properties: Properties };
      const nullable = Object.keys(properties).filter((field) => takesNull(properties[field]));
      for (const field of nullable) {
        const send = async (change: object) => {
          const request = await exampleRequest(world, route, owner, await makeParams(world, owner, route));
          const payload = { ...JSON.parse(String(request.payload)), ...change };
          return api.app.inject({ ...request, payload: JSON.stringify(payload) });
        };
        const [without, withNull] = [await send({ [field]: undefined }), await send({ [field]: null })];
        expect(withNull.statusCode, `${field}: ${withNull.body}`).toBe(without.statusCode);
      }
    },
  );

  it.each(byName(documented))(
    'of bodies and answers match the schemas of %s, and each answer has one',
    (_name, route) => {
      const operation = operationOf(document, route);
      const medias = [
        operation?.requestBody?.content['application/json'],
        ...Object.values(operation?.responses ?? {}).map(({ content }) => content?.['application/json']),
      ].filter((media) => media !== undefined);
      expect(medias.length).toBeGreaterThan(1);
      for (const media of medias) {
        const examples = examplesOf(media);
        expect(examples.length, JSON.stringify(media)).toBeGreaterThan(0);
        for (const example of examples) expect(validate(media.schema, example)).toEqual([]);
      }
    },
  );

  it.each(byName(documented.filter(({ query, method }) => query !== null && method === 'GET')))(
    'of query parameters are accepted by %s, one by one',
    async (_name, route) => {
      const params = await makeParams(world, owner, route);
      const request = await exampleRequest(world, route, owner, params);
      for (const [name, schema] of Object.entries(route.query?.properties ?? {})) {
        const [example] = schema.examples ?? [schema.default ?? schema.enum?.[0]];
        if (example === undefined) continue;
        const url = `${pathOf(route, params)}?${name}=${encodeURIComponent(String(example))}`;
        const answer = await api.app.inject({ ...request, url });
        expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
        expect(undocumented(route, answer)).toEqual([]);
      }
    },
  );
});

type Properties = Readonly<Record<string, object>>;
const takesNull = (field: object | undefined): boolean => /"null"/.test(JSON.stringify(field));

describe('answers that are not a success', () => {
  let refusals = 0;
  it.each(byName(documented))('of %s are as documented', async (_name, route) => {
    const params = await makeParams(world, owner, route);
    const right = await exampleRequest(world, route, owner, params);
    const absent = Object.fromEntries(route.params.map((name) => [name, '987654321']));
    const bodies = ['{', '[]', '{"name":5}', `"${'x'.repeat(3_000_000)}"`];
    const wrong = [
      { ...right, headers: {} },
      { ...right, url: pathOf(route, absent) },
      ...(route.body === null
        ? []
        : [
            ...bodies.map((payload) => ({
              ...right,
              headers: { ...right.headers, 'content-type': 'application/json' },
              payload,
            })),
            { ...right, headers: { ...right.headers, 'content-type': 'text/plain' }, payload: 'x' },
          ]),
    ];
    for (const request of wrong) {
      const answer = await api.app.inject(request);
      if (answer.statusCode < 300) continue;
      refusals++;
      expect(undocumented(route, answer)).toEqual([]);
    }
  });

  it('are most of what such requests get', () => {
    expect(refusals).toBeGreaterThan(documented.length * 2);
  });
});
