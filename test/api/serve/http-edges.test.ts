// tier: postgres
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { appBody, bearer, createMember, openTestApi } from '../support.ts';

/** What the specification leaves to HTTP. */
describe('a request', async () => {
  const api = await openTestApi();
  const headers = bearer((await createMember(api.database)).token);

  const send = (changes: InjectOptions, more: Record<string, string> = {}) =>
    api.app.inject({ url: '/api/v1/client/apps', ...changes, headers: { ...headers, ...more } });

  it.each(['application/json', '*/*', 'text/html', 'application/xml', 'nonsense', ''])(
    'is answered with JSON for any Accept: %j',
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
  ])('may declare its body as %s', async (type) => {
    const payload = JSON.stringify(appBody());
    expect((await send({ method: 'POST', payload }, { 'content-type': type })).statusCode).toBe(201);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'text/json', 'nonsense'])(
    'may not declare its body as %s',
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

  it('for the options of a client address gets its methods: no page of another site may call it', async () => {
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

  it('that names a parameter twice gets a 422 for it', async () => {
    const answer = await send({ url: '/api/v1/client/apps?page=1&page=2' });
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['page']]);
  });

  it.each([
    ['segments/preview', 'POST'],
    ['deliveries/test', 'POST'],
    ['segments/7', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['deliveries/7', 'GET, HEAD, PATCH'],
  ])('by a method that %s does not take gets a list of the allowed ones', async (path, allowed) => {
    const url = `/api/v1/client/apps/x/${path}`;
    const answer = await send({ method: 'OPTIONS', url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allowed]);
    for (const method of allowed.split(', ')) {
      const taken = await send({ method: method as 'GET', url });
      expect([method, taken.statusCode]).not.toEqual([method, 405]);
    }
  });

  it('that deletes may declare JSON, and have no body or any', async () => {
    const { routes } = await documented();
    const deletions = routes.filter(({ method }) => method === 'delete');
    expect(deletions.length).toBeGreaterThan(7);
    for (const { path } of deletions) {
      const url = path.replaceAll(/\{[^}]+\}/g, '999999');
      for (const payload of ['', '{}', '{"reason":']) {
        const answer = await send({ method: 'DELETE', url, payload }, { 'content-type': 'application/json' });
        expect([path, payload, answer.statusCode]).toEqual([
          path,
          payload,
          path.includes('/account/') ? 401 : 404,
        ]);
      }
    }
    const { identifier } = (await send({ method: 'POST', payload: appBody() })).json().data;
    const url = `/api/v1/client/apps/${identifier}`;
    const gone = await send({ method: 'DELETE', url }, { 'content-type': 'application/json' });
    expect([gone.statusCode, gone.body]).toEqual([204, '']);
  });

  it('may not list the values of a parameter in brackets, which would be ignored', async () => {
    const { identifier } = (await send({ method: 'POST', payload: appBody() })).json().data;
    const lists = `/api/v1/client/apps/${identifier}`;
    const words = (name: string, field: string) =>
      field === 'tag'
        ? `The ${name} field must name a key, as in tag[key]=value.`
        : `The ${name} field is not known: write ${field}=… without brackets.`;
    for (const [list, name, field] of [
      ['subscriptions', 'tag[]', 'tag'],
      ['subscriptions', 'tag[plan][]', 'tag'],
      ['subscriptions', 'tag[', 'tag'],
      ['subscriptions', 'status[]', 'status'],
      ['subscriptions', 'status[0]', 'status'],
      ['deliveries', 'status[]', 'status'],
      ['analytics/subscribers', 'days[]', 'days'],
    ] as const) {
      const answer = await send({ url: `${lists}/${list}?${encodeURIComponent(name)}=red` });
      expect([name, answer.statusCode]).toEqual([name, 422]);
      expect(answer.json().errors).toEqual({ [name]: [words(name, field)] });
    }
    const right = await send({ url: `${lists}/subscriptions?tag[plan]=red&tag[[x]=y` });
    expect(right.statusCode).toBe(200);
  });

  it.each([
    '{"name":"x","__proto__":{"admin":true}}',
    '{"name":"x","site_domain":{"__proto__":1}}',
    '{"name":"x","constructor":{"prototype":{}}}',
  ])('whose body is %s gets an error that explains it', async (payload) => {
    const answer = await send({ method: 'POST', payload }, { 'content-type': 'application/json' });
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'The request body has a field called __proto__, or a prototype inside a constructor: give it another name.',
    ]);
    const broken = await send(
      { method: 'POST', payload: `${payload}}` },
      { 'content-type': 'application/json' },
    );
    expect([broken.statusCode, broken.json().message]).toEqual([400, 'The request body is not valid JSON.']);
  });

  it('whose form has a field called __proto__ gets an error for it', async () => {
    const { identifier } = (await send({ method: 'POST', payload: appBody() })).json().data;
    const form = new FormData();
    form.set('__proto__', 'x');
    const url = `/api/v1/client/apps/${identifier}/deliveries`;
    const answer = await send({ method: 'POST', url, payload: form });
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'The form has a field whose name every object has, such as __proto__ or constructor: give it another name.',
    ]);
  });

  const documented = async () => {
    const { paths } = (await send({ url: '/api/v1/openapi.json' })).json();
    const routes = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ path, method })),
    );
    return { routes };
  };
});
