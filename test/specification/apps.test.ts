// tier: postgres
import { Compile } from 'typebox/compile';
import { beforeAll, describe, expect, it } from 'vitest';
import { appSchema } from '../../api/client/apps/schema.ts';
import { appBody, openWithMember } from '../api/support.ts';

const { call } = await openWithMember();

const created = async (changes: object = {}) => (await call('POST', '/apps', appBody(changes))).json().data;

describe('Apps', () => {
  it('GET /apps | apps:read | 200, paginated App collection', async () => {
    const { identifier } = await created();
    const answer = await call('GET', '/apps?per_page=100');
    expect(answer.statusCode).toBe(200);
    const { data, links, meta } = answer.json();
    expect(data.map((app: { identifier: string }) => app.identifier)).toContain(identifier);
    expect([typeof links.first, meta.per_page]).toEqual(['string', 100]);
    for (const app of data) expect(Compile(appSchema).Check(app)).toBe(true);
  });

  it('GET /apps/{identifier} | apps:read | single App object inside `data`', async () => {
    const app = await created();
    const answer = await call('GET', `/apps/${app.identifier}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: app }]);
  });

  it('POST /apps | apps:write | 201, created App', async () => {
    const answer = await call('POST', '/apps', appBody());
    expect(answer.statusCode).toBe(201);
    expect(Compile(appSchema).Check(answer.json().data)).toBe(true);
  });

  it.each(['PUT', 'PATCH'] as const)(
    '%s /apps/{identifier} | apps:write | 200, updated App',
    async (method) => {
      const app = await created();
      const answer = await call(method, `/apps/${app.identifier}`, appBody({ name: 'Evening News' }));
      expect(answer.statusCode).toBe(200);
      expect(answer.json().data).toMatchObject({ identifier: app.identifier, name: 'Evening News' });
      expect((await call('GET', `/apps/${app.identifier}`)).json()).toEqual(answer.json());
    },
  );

  it('DELETE /apps/{identifier} | apps:write | 204, no body', async () => {
    const { identifier } = await created();
    const answer = await call('DELETE', `/apps/${identifier}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await call('GET', `/apps/${identifier}`)).statusCode).toBe(404);
  });
});

const cap = { frequency_cap_window_minutes: 60 };
const param = (key: string) => ({ key, value: 'v' });

interface Row {
  readonly row: string;
  readonly takes: readonly object[];
  readonly refuses: readonly [changes: object, field: string, words: RegExp][];
}

const rows: readonly Row[] = [
  {
    row: 'name | string | yes | <= 255 chars',
    takes: [{ name: 'x' }, { name: 'ż'.repeat(255) }],
    refuses: [
      [{ name: undefined }, 'name', /is required/],
      [{ name: null }, 'name', /is required/],
      [{ name: '' }, 'name', /must not be empty/],
      [{ name: 'x'.repeat(256) }, 'name', /longer than 255/],
      [{ name: 5 }, 'name', /must be a string/],
    ],
  },
  {
    row: 'site_domain | URL | yes | must not end with `/`',
    takes: [{ site_domain: 'https://a.example' }, { site_domain: 'http://localhost:3000' }],
    refuses: [
      [{ site_domain: undefined }, 'site_domain', /is required/],
      [{ site_domain: 'https://news.example.com/' }, 'site_domain', /must not end with a slash/],
      [{ site_domain: 'news.example.com' }, 'site_domain', /must be the origin/],
      [{ site_domain: 'ftp://news.example.com' }, 'site_domain', /must be the origin/],
      [{ site_domain: 'https://news.example.com/path' }, 'site_domain', /must be the origin/],
      [{ site_domain: 'https://example.com.' }, 'site_domain', /must be the origin/],
      [{ site_domain: 'https://example..com' }, 'site_domain', /must be the origin/],
      [{ site_domain: 'https://-bad.example' }, 'site_domain', /must be the origin/],
      [{ site_domain: 'https://bad-.example' }, 'site_domain', /must be the origin/],
      [{ site_domain: `https://${'a'.repeat(64)}.example` }, 'site_domain', /must be the origin/],
      [{ site_domain: 'https://news.example.com?' }, 'site_domain', /must be the origin/],
      [{ site_domain: 'https://me@news.example.com' }, 'site_domain', /must be the origin/],
      [{ site_domain: ' https://news.example.com' }, 'site_domain', /must be the origin/],
      [{ site_domain: 'https://a b.example' }, 'site_domain', /must be the origin/],
    ],
  },
  {
    row: 'frequency_cap_max_notifications | integer | no | 1-100; requires frequency_cap_window_minutes',
    takes: [
      { ...cap, frequency_cap_max_notifications: 1 },
      { ...cap, frequency_cap_max_notifications: 100 },
    ],
    refuses: [
      [{ ...cap, frequency_cap_max_notifications: 0 }, 'frequency_cap_max_notifications', /at least 1/],
      [
        { ...cap, frequency_cap_max_notifications: 101 },
        'frequency_cap_max_notifications',
        /greater than 100/,
      ],
      [{ ...cap, frequency_cap_max_notifications: 1.5 }, 'frequency_cap_max_notifications', /an integer/],
      [{ ...cap, frequency_cap_max_notifications: '5' }, 'frequency_cap_max_notifications', /an integer/],
      [{ frequency_cap_max_notifications: 5 }, 'frequency_cap_window_minutes', /is required when/],
    ],
  },
  {
    row: 'frequency_cap_window_minutes | integer | no | one of 60, 360, 720, 1440, 10080',
    takes: [60, 360, 720, 1440, 10080].map((minutes) => ({ frequency_cap_window_minutes: minutes })),
    refuses: [
      [{ frequency_cap_window_minutes: 61 }, 'frequency_cap_window_minutes', /must be one of 60, 360/],
      [{ frequency_cap_window_minutes: 0 }, 'frequency_cap_window_minutes', /must be one of 60, 360/],
    ],
  },
  {
    row: 'default_ttl_seconds | integer | no | 0-2419200',
    takes: [{ default_ttl_seconds: 0 }, { default_ttl_seconds: 2_419_200 }],
    refuses: [
      [{ default_ttl_seconds: -1 }, 'default_ttl_seconds', /at least 0/],
      [{ default_ttl_seconds: 2_419_201 }, 'default_ttl_seconds', /greater than 2419200/],
    ],
  },
  ...(['default_require_interaction', 'default_silent'] as const).map((field) => ({
    row: `${field} | boolean | no`,
    takes: [{ [field]: true }, { [field]: false }],
    refuses: [
      [{ [field]: 'true' }, field, /must be true or false/],
      [{ [field]: 1 }, field, /must be true or false/],
    ] as Row['refuses'],
  })),
  {
    row: 'default_vibrate_pattern | integer[] | no | <= 10 values, each 0-10000',
    takes: [{ default_vibrate_pattern: [] }, { default_vibrate_pattern: [0, 10_000, ...Array(8).fill(1)] }],
    refuses: [
      [{ default_vibrate_pattern: Array(11).fill(1) }, 'default_vibrate_pattern', /more than 10/],
      [{ default_vibrate_pattern: [1, 10_001] }, 'default_vibrate_pattern.1', /greater than 10000/],
      [{ default_vibrate_pattern: [-1] }, 'default_vibrate_pattern.0', /at least 0/],
      [{ default_vibrate_pattern: [1.5] }, 'default_vibrate_pattern.0', /an integer/],
    ],
  },
  {
    row: 'auto_delete_unsubscribed_enabled | boolean | no',
    takes: [{ auto_delete_unsubscribed_enabled: false }],
    refuses: [
      [{ auto_delete_unsubscribed_enabled: 'yes' }, 'auto_delete_unsubscribed_enabled', /true or false/],
    ],
  },
  {
    row: 'auto_delete_unsubscribed_days | integer | no | 1-365; required when auto-delete is enabled',
    takes: [1, 365].map((days) => ({
      auto_delete_unsubscribed_enabled: true,
      auto_delete_unsubscribed_days: days,
    })),
    refuses: [
      [{ auto_delete_unsubscribed_enabled: true }, 'auto_delete_unsubscribed_days', /is required when/],
      [{ auto_delete_unsubscribed_days: 0 }, 'auto_delete_unsubscribed_days', /at least 1/],
      [{ auto_delete_unsubscribed_days: 366 }, 'auto_delete_unsubscribed_days', /greater than 365/],
    ],
  },
  {
    row: 'default_query_params | array of {key, value} | no | <= 20 objects; keys unique; key matches `[\\w\\-]+`',
    takes: [
      { default_query_params: Array.from({ length: 20 }, (_, n) => param(`k_${n}-x`)) },
      { default_query_params: [] },
    ],
    refuses: [
      [
        { default_query_params: Array.from({ length: 21 }, (_, n) => param(`k${n}`)) },
        'default_query_params',
        /more than 20/,
      ],
      [{ default_query_params: [param('a'), param('a')] }, 'default_query_params', /name a key twice/],
      [{ default_query_params: [param('a b')] }, 'default_query_params.0.key', /letters, digits/],
      [{ default_query_params: [param('')] }, 'default_query_params.0.key', /letters, digits/],
      [{ default_query_params: [param('a\n')] }, 'default_query_params.0.key', /letters, digits/],
      [{ default_query_params: [{ key: 'a' }] }, 'default_query_params.0.value', /is required/],
    ],
  },
  {
    row: 'organization_id | integer | super-admins only',
    takes: [],
    refuses: [
      [{ organization_id: 1 }, 'organization_id', /super-admins only/],
      [{ organization_id: 999_999 }, 'organization_id', /super-admins only/],
    ],
  },
];

describe.each(['POST', 'PUT', 'PATCH'] as const)('Create/update body, %s', (method) => {
  let path = '/apps';
  beforeAll(async () => {
    if (method !== 'POST') path = `/apps/${(await created()).identifier}`;
  });

  it.each(rows)('$row', async ({ takes, refuses }) => {
    for (const changes of takes) {
      const answer = await call(method, path, appBody(changes));
      expect([changes, answer.statusCode]).toEqual([changes, method === 'POST' ? 201 : 200]);
      expect(answer.json().data).toMatchObject(changes);
    }
    for (const [changes, field, words] of refuses) {
      const answer = await call(method, path, appBody(changes));
      expect([changes, answer.statusCode]).toEqual([changes, 422]);
      const { errors, message } = answer.json();
      expect(errors).toEqual({ [field]: [expect.stringMatching(words)] });
      expect(message).toBe(errors[field][0]);
    }
  });
});

it.each(['PUT', 'PATCH'] as const)(
  '%s: Update validates all rules whether a field is present or not, so a full payload is supplied',
  async (method) => {
    const { identifier } = await created({ default_silent: true });
    const answer = await call(method, `/apps/${identifier}`, { default_silent: false });
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json().errors).sort()).toEqual(['name', 'site_domain']);
    expect((await call('GET', `/apps/${identifier}`)).json().data.default_silent).toBe(true);
  },
);
