// tier: postgres
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, describe, expect, it } from 'vitest';
import { paginate } from '../../../api/http/page.ts';
import { spellOut } from '../../../engine/kit/http/docs/documented.ts';
import { nameSchemas } from '../../../engine/kit/http/docs/named-schemas.ts';
import { createValidator, type Operation, operationOf } from '../../generated/answers.ts';
import { byName, type ListedRoute } from '../../generated/routes.ts';
import { createWorld } from '../../generated/world.ts';

const world = await createWorld();
afterAll(() => world.api.close());

const { document } = world;
const documented = world.routes.filter(({ hidden }) => !hidden);
const operation = (route: ListedRoute): Operation => {
  const found = operationOf(document, route);
  if (found === undefined) throw new Error(`${route.name} is not in the document`);
  return found;
};

/** What the routes of each tier may answer beside their own. */
const usual: readonly (readonly [prefix: string, statuses: readonly string[]])[] = [
  ['/api/v1/client', ['400', '401', '403', '422', '429', '503']],
  ['/api/v1/account', ['400', '401', '403', '422', '429', '503']],
  ['/api/v1/public', ['400', '403', '429', '503']],
];

/** Served beside the API: for browsers, monitors and generators. */
const apart =
  /^\/$|^\/(docs|internal|images|invitations|sdk|dashboard|preferences|password-reset|alert-addresses)(\/|$)|^\/(example(\.js)?|broadside-worker\.js)$|^\/api\/v1\/(openapi\.json|account\/log-in(\/organizations\/:\w+)?\/callback)$/;

describe('the OpenAPI document', () => {
  it('is valid 3.1', async () => {
    const copy = JSON.parse(JSON.stringify(document));
    expect(await new Validator().validate(copy)).toMatchObject({ valid: true });
    expect(document.openapi).toBe('3.1.0');
  });

  it('requires X-App-Id of every public route', () => {
    const publicRoutes = documented.filter(({ url }) => url.startsWith('/api/v1/public/'));
    expect(publicRoutes.length).toBeGreaterThan(4);
    for (const route of publicRoutes) {
      const { parameters = [] } = operation(route) as { parameters?: readonly object[] };
      expect(parameters, route.name).toContainEqual(
        expect.objectContaining({ in: 'header', name: 'x-app-id', required: true }),
      );
    }
  });

  it('hides no route of the API', () => {
    const hidden = world.routes.filter(
      ({ hidden: isHidden, method }) => isHidden && method !== 'HEAD' && method !== 'OPTIONS',
    );
    expect(hidden.filter(({ url }) => !apart.test(url))).toEqual([]);
    expect(documented.length).toBeGreaterThan(5);
  });

  it('describes tags in a query, and that an image may be a file', () => {
    const list = document.paths['/api/v1/client/apps/{identifier}/subscriptions']?.get;
    expect(list?.parameters).toContainEqual(
      expect.objectContaining({ name: 'tag', in: 'query', style: 'deepObject', explode: true }),
    );
    const create = document.paths['/api/v1/client/apps/{identifier}/deliveries']?.post;
    expect(create?.requestBody?.content['multipart/form-data']).toMatchObject({
      schema: { $ref: '#/components/schemas/NewDeliveryForm' },
      encoding: {
        image_url: { contentType: 'image/png, image/jpeg' },
        icon_url: { contentType: 'image/png, image/jpeg' },
      },
    });
  });

  it('names the required headers of the public tier', async () => {
    for (const route of documented.filter(({ url }) => url.startsWith('/api/v1/public'))) {
      const { parameters = [] } = operation(route);
      const headers = parameters
        .filter((each) => each.in === 'header')
        .map(({ name, required }) => [name, required]);
      expect(headers, route.name).toEqual([
        ['x-app-id', true],
        ['origin', true],
      ]);
      const { statusCode } = await world.api.app.inject({ method: route.method as 'GET', url: route.url });
      expect(statusCode, route.name).toBe(403);
    }
  });

  it('has one way to write a time, a day, an address and a country', () => {
    const texts = textsOf(document.components.schemas).filter(
      ([, { enum: allowed }]) => allowed === undefined,
    );
    const plain = texts.filter(
      ([, { format, pattern, anyOf }]) => (format ?? pattern ?? anyOf) === undefined,
    );
    const names = plain.map(([name]) => name);
    expect(names.filter((name) => /_(at|day)$|^(date|at|watermark|url|image_url)$/.test(name))).toEqual([
      // In the forms of a delivery and of a test it may be a file.
      ...['image_url', 'image_url'],
      // What is warned of before sending may be unfinished.
      ...['url', 'image_url', 'url', 'url', 'url'],
    ]);
    expect(
      names.filter((name) => /^(country|site_domain|endpoint|first|last|prev|next|path)$/.test(name)),
    ).toEqual([]);
    const filters = documented.flatMap((route) => operation(route).parameters ?? []);
    const days = filters.filter(({ name }) => /^(created_(after|before)|since|until|day)$/.test(name));
    expect(days.length).toBeGreaterThan(6);
    for (const { schema } of days) {
      expect(schema).toMatchObject({ anyOf: [{ format: 'date' }, { format: 'date-time' }] });
    }
  });

  it('refuses the same values by its formats as the server, and allows null where it does', () => {
    const validate = createValidator(document);
    const delivery = { name: 'n', title: 't', body: 'b', url: 'https://news.example.com' };
    const problems = (change: object) =>
      validate({ $ref: '#/components/schemas/NewDelivery' }, { ...delivery, ...change });
    expect(problems({ scheduled_at: '2999-01-31T12:00:00Z', topic: null, urgency: null })).toEqual([]);
    for (const wrong of [
      { url: 'ftp://news.example.com' },
      { url: 'today' },
      { expires_at: 'soon' },
      { title: null },
    ]) {
      expect(problems(wrong), JSON.stringify(wrong)).not.toEqual([]);
    }
    const endpoint = 'http://fcm.googleapis.com/fcm/send/a';
    const subscription = { endpoint, keys: { p256dh: 'a', auth: 'b' } };
    expect(validate({ $ref: '#/components/schemas/Subscribe' }, { subscription })).toHaveLength(1);
  });

  it('is right about the links of a page: they are URIs for any query', () => {
    const address = new URL('https://push.example.com/api/v1/client/apps?tag[plan]=50%&search=a|b');
    const { links } = paginate([], 0, { number: 1, size: 25, offset: 0 }, address);
    expect(links.first).toBe(
      'https://push.example.com/api/v1/client/apps?tag%5Bplan%5D=50%25&search=a%7Cb&page=1',
    );
  });

  it('gives every operation an id of its own', () => {
    const ids = documented.map((route) => operation(route).operationId ?? route.name);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  });

  it.each(byName(documented))('describes %s, under a known tag and a stable name', (_name, route) => {
    const { summary, operationId, tags } = operation(route);
    expect(summary, 'add `summary` to the route’s schema').toMatch(/^[A-Z][^.]{3,60}$/);
    expect(operationId, 'add `operationId` to the route’s schema').toMatch(/^[a-z][A-Za-z]+$/);
    const known = document.tags.map(({ name }) => name);
    expect(known, 'add the tag to api/http/plugins/openapi.ts').toEqual(
      expect.arrayContaining([...(tags ?? ['?'])]),
    );
    expect(tags).toHaveLength(1);
  });

  it.each(byName(documented))('names the ability that %s needs', (_name, route) => {
    const { description = '', 'x-ability': ability } = operation(route);
    expect(ability).toBe(route.ability ?? undefined);
    if (route.ability !== null) expect(description).toContain(`\`${route.ability}\``);
  });

  it.each(byName(documented))('describes every parameter of %s', (_name, route) => {
    const { parameters = [] } = operation(route);
    expect(parameters.filter(({ description }) => description === undefined)).toEqual([]);
    expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(
      route.params,
    );
  });

  it.each(byName(documented))(
    'describes every answer of %s, when to retry after a 429 or 503, and the meaning of a 404',
    (_name, route) => {
      const { responses } = operation(route);
      const [, statuses = []] = usual.find(([prefix]) => route.url.startsWith(prefix)) ?? [];
      const expected = [
        ...statuses,
        ...(route.body === null ? [] : ['413', '415', '422']),
        ...(route.params.length > 0 ? ['404'] : []),
      ];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected));
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
      for (const [status, { description, headers = {} }] of Object.entries(responses)) {
        expect(description, status).not.toBe('Default Response');
        if (status === '429' || status === '503') expect(Object.keys(headers)).toContain('Retry-After');
      }
    },
  );

  it.each(byName(documented))('gives the bodies and resources of %s names', (_name, route) => {
    const { requestBody, responses } = operation(route);
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      expect(namesIn(schema)).not.toEqual([]);
    for (const { content } of Object.values(responses)) {
      for (const { schema } of Object.values(content ?? {})) expect(namesIn(schema)).not.toEqual([]);
    }
  });
});

interface TextSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly object[];
}

/** Every field that is text, by its name. */
function textsOf(schema: unknown): [name: string, schema: TextSchema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, TextSchema>> };
  const own = Object.entries(properties).filter(([, { type }]) => [type].flat().includes('string'));
  return [...own, ...Object.values(schema).flatMap(textsOf)];
}

const namesIn = (schema: object): string[] =>
  JSON.stringify(schema).match(/(?<=#\/components\/schemas\/)\w+/g) ?? [];

describe('the `documented` part of a schema', () => {
  it('moves into the schema itself, and examples keep their fields of that name', () => {
    const schema = { type: 'string', documented: { format: 'date' } };
    expect(spellOut([schema, { properties: { at: schema }, examples: [{ documented: {} }] }])).toEqual([
      { type: 'string', format: 'date' },
      { properties: { at: { type: 'string', format: 'date' } }, examples: [{ documented: {} }] },
    ]);
  });
});

describe('schemas with a title', () => {
  const schema = (title: string, type: string) => ({
    title,
    type: 'object',
    properties: { title: { type } },
  });
  const of = (...schemas: object[]) => nameSchemas(JSON.parse(JSON.stringify({ paths: { '/a': schemas } })));

  it('become components, once, and leave references', () => {
    expect(of(schema('A', 'string'), { items: schema('A', 'string') })).toEqual({
      paths: { '/a': [{ $ref: '#/components/schemas/A' }, { items: { $ref: '#/components/schemas/A' } }] },
      components: { schemas: { A: { type: 'object', properties: { title: { type: 'string' } } } } },
    });
  });

  it('may not share it when they differ', () => {
    expect(() => of(schema('A', 'string'), schema('A', 'integer'))).toThrow(/two schemas that differ/);
    const shown = { ...schema('A', 'string'), examples: [{ title: 'x' }] };
    expect(of(schema('A', 'string'), shown)).toMatchObject({
      components: { schemas: { A: { examples: [{ title: 'x' }] } } },
    });
  });
});
