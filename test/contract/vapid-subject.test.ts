// tier: system
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubjectOf, isVapidSubject, type SubjectOf } from '../../engine/contract/vapid-subject.ts';
import { appBody, callAs, createMember, createTestApi, deliveryBody } from '../api/support.ts';
import { type BuiltApp, buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import { createLogStore, startEngineHarness, until } from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../support/push-service/start.ts';
import { createRealSender, insertBrowsers } from '../support/real-sender.ts';

describe('a VAPID subject', () => {
  it.each([
    'mailto:push@example.com',
    'https://example.com',
    'https://news.example:8443',
    'https://example.com/contact?for=push',
    'https://localhost.example.com',
  ])('may be %s', (text) => expect(isVapidSubject(text)).toBe(true));

  it.each([
    'http://example.com',
    'https://localhost',
    'https://localhost:8080/',
    'https://push.localhost',
    'https://push.invalid',
    'https://intranet',
    'https://printer.local',
    'https://127.0.0.1',
    'https://2130706433',
    'https://[::1]',
    'https://someone@example.com',
    'https://example.com ',
    'https://example.com\n',
    ' mailto:push@example.com',
    'mailto:push@example.com ',
    'mailto:push@localhost',
    'mailto:push@example.invalid',
    'mailto:push@127.0.0.1',
    'mailto:a@b@example.com',
    'mailto:@example.com',
    'mailto:',
    'push@example.com',
    'ftp://example.com',
    '',
  ])('may not be "%s"', (text) => expect(isVapidSubject(text)).toBe(false));

  it('is the operator’s first, then the app’s site on https, then the last resort', () => {
    const operator = 'mailto:push@example.com';
    expect(createSubjectOf(operator)('https://somebody-else.example')).toBe(operator);
    expect(createSubjectOf(operator)('http://news.example')).toBe(operator);
    expect(createSubjectOf(null)('https://news.example')).toBe('https://news.example');
    expect(createSubjectOf(null)('http://news.example')).toBeNull();
    expect(createSubjectOf(null, operator)('http://localhost:3000')).toBe(operator);
    expect(createSubjectOf(null, operator)('https://news.example')).toBe('https://news.example');
  });
});

describe('an app whose site push services would reject as a contact', () => {
  const site = 'http://news.example.com';

  it.each([
    ['without an operator’s subject', createSubjectOf(null), 422],
    ['under the operator’s subject', createSubjectOf('mailto:push@example.com'), 201],
  ])('is made, and its delivery, %s, is answered with %3$i', async (_what, subjectOf, status) => {
    const test = await createTestApi({ subjectOf });
    const call = callAs(test.app, await createMember(test.database));
    const made = await call('POST', '/apps', appBody({ site_domain: site }));
    expect(made.statusCode).toBe(201);
    const answer = await call('POST', `/apps/${made.json().data.identifier}/deliveries`, deliveryBody());
    expect(answer.statusCode).toBe(status);
    if (status === 422) {
      expect(answer.json().errors).toEqual({
        site_domain: [
          expect.stringMatching(
            /http:\/\/news\.example\.com is not valid as one: .* on https, .* VAPID_SUBJECT/,
          ),
        ],
      });
      expect(await test.database.query('SELECT 1 FROM deliveries')).toEqual([]);
    }
    await test.close();
  });
});

describe('deliveries that were accepted before', () => {
  let test: TestDatabase;
  let push: PushServiceDouble;
  let sender: ReturnType<typeof createRealSender>;
  beforeAll(async () => {
    test = await createTestDatabase();
    push = await startPushService({ verify: 'all' });
    sender = createRealSender(push.ca);
  });
  afterAll(async () => {
    await sender.close();
    await push.stop();
    await test.drop();
  });

  /** @returns the delivery as it ended, and the subjects that were given to a worker. */
  async function send(app: BuiltApp, subjectOf: SubjectOf) {
    const delivery = await buildDelivery(test.database, app.id);
    await test.database.query(
      `INSERT INTO outbox (topic, key, value)
       VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [delivery],
    );
    const subjects = new Set<string | null>();
    const noting: typeof sender = {
      ...sender,
      sendBlock: (task) => {
        for (const { subject } of [task.vapid, ...(task.vapidByNumber?.values() ?? [])])
          subjects.add(subject);
        return sender.sendBlock(task);
      },
    };
    const engine = await startEngineHarness({
      ...{ database: test.database, logStore: createLogStore(), subjectOf },
      sender: noting,
    });
    await until('the delivery ends', async () =>
      ['success', 'partial', 'failed'].includes((await readDelivery(test.database, delivery)).status),
    );
    await engine.close();
    return { ended: await readDelivery(test.database, delivery), subjects: [...subjects] };
  }

  it('fail with the reason and before any request, where no subject is left', async () => {
    const app = await buildApp(test.database);
    await insertBrowsers(test.database, app.id, 1, [push.subscriber(0, app.vapidPublicKey)]);
    await test.database.query(`UPDATE apps SET site_domain = 'http://localhost:3000' WHERE id = $1`, [
      app.id,
    ]);
    const { ended, subjects } = await send(app, createSubjectOf(null));
    expect(subjects).toEqual([null]);
    expect(ended).toMatchObject({ status: 'failed', success_count: 0, failed_count: 1 });
    expect((await push.ledger()).distinct).toBe(0);
    const [row] = await test.database.query<{ error_message: string }>(
      `SELECT error_message FROM deliveries WHERE app_id = $1`,
      [app.id],
    );
    expect(row?.error_message).toContain('VAPID_SUBJECT');
  });

  it('name the operator, and not the site that a publisher typed', async () => {
    const app = await buildApp(test.database);
    await insertBrowsers(test.database, app.id, 1, [push.subscriber(1, app.vapidPublicKey)]);
    const { ended, subjects } = await send(app, createSubjectOf('mailto:push@example.com'));
    expect(subjects).toEqual(['mailto:push@example.com']);
    expect(ended).toMatchObject({ status: 'success', success_count: 1 });
  });
});
