import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appBody, bearer, createMember, createTestApi, type TestApi } from './support.ts';

/** What the specification leaves to HTTP. */
describe('a request', () => {
  let api: TestApi;
  let headers: Record<string, string>;
  beforeAll(async () => {
    api = await createTestApi();
    headers = bearer((await createMember(api.database)).token);
  });
  afterAll(() => api.close());

  const send = (changes: InjectOptions, more: Record<string, string> = {}) =>
    api.app.inject({ url: '/api/v1/client/apps', ...changes, headers: { ...headers, ...more } });

  it.each(['application/json', '*/*', 'text/html', 'application/xml', 'nonsense', ''])(
    'is answered with JSON, whatever it accepts: %j',
    async (accept) => {
      const answer = await send({}, { accept });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
    },
  );

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
  ])('may say that its body is %s', async (type) => {
    const payload = JSON.stringify(appBody());
    expect((await send({ method: 'POST', payload }, { 'content-type': type })).statusCode).toBe(201);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'text/json', 'nonsense'])(
    'may not say that its body is %s',
    async (type) => {
      const payload = JSON.stringify(appBody());
      expect((await send({ method: 'POST', payload }, { 'content-type': type })).statusCode).toBe(415);
    },
  );

  it('for the head of a resource gets the headers of its GET, and no body', async () => {
    const [head, get] = [await send({ method: 'HEAD' }), await send({})];
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('for the options of a client address is told the methods: no browser of another site may call it', async () => {
    const answer = await send({ method: 'OPTIONS' }, { origin: 'https://elsewhere.example' });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(['/api/v1/client/apps/', '//api/v1/client/apps', '/api/v1//client/apps', '/api/v1/client/APPS'])(
    'for %s finds nothing: an address has one spelling',
    async (url) => {
      expect((await send({ url })).statusCode).toBe(404);
    },
  );

  it('may encode an identifier', async () => {
    const made = await send({ method: 'POST', payload: appBody({ name: 'Encoded' }) });
    const { identifier } = made.json().data;
    const encoded = [...identifier].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    expect((await send({ url: `/api/v1/client/apps/${encoded}` })).json()).toEqual(made.json());
  });

  it('that names a parameter twice is told so', async () => {
    const answer = await send({ url: '/api/v1/client/apps?page=1&page=2' });
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['page']]);
  });
});
