// tier: system
// People report that searches in any case find only ASCII letters in a database of the locale C:
// https://github.com/sameersbn/docker-postgresql/pull/117, https://github.com/forkbb/forkbb/issues/8
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLogIn } from '../../api/account/log-in/password/store.ts';
import { checkPostgres } from '../../api/cli/doctor/postgres.ts';
import { listDeliveries } from '../../api/client/deliveries/store.ts';
import {
  insertCategory,
  listCategories,
  updateCategory,
} from '../../api/client/delivery-categories/store.ts';
import { findPerson } from '../../api/client/people/store.ts';
import { findTags } from '../../api/client/subscriptions/search-tags.ts';
import { select } from '../../api/client/subscriptions/selection.ts';
import {
  listMigrationNames,
  migrateDatabase,
  runMigrations,
} from '../../engine/adapters/postgres/migrate.ts';
import { createFoldFacets } from '../../engine/adapters/postgres/removal/fold-facets.ts';
import { foldedText } from '../../engine/contract/folded-text.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { buildApp, buildDelivery, buildSubscriptions } from '../support/builders.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';

/** The embedded one's, one that knows letters of its own kind, and one whose capitals are another language's. */
const locales = {
  C: "LOCALE 'C'",
  'C.UTF-8': "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'",
  'tr-TR': "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'",
  'de-DE': "LOCALE_PROVIDER icu ICU_LOCALE 'de-DE' LOCALE 'C'",
};
const page = { number: 1, size: 20, offset: 0 };
const RELEASE_BEFORE = '0124';

describe.each(Object.entries(locales))('in a database of the locale %s', (_, locale) => {
  let made: TestDatabase;
  let app: AppId;

  beforeAll(async () => {
    made = await createEmptyDatabase(locale);
    await migrateDatabase(made.url, made.database);
    app = (await buildApp(made.database, { subscribers: 4 })).id;
  });
  afterAll(() => made?.drop());

  it('every letter is folded as the application folds it', async () => {
    const rows = await made.database.query<{ letter: string; folded: string; compatible: string }>(
      `SELECT chr(code) AS letter, folded(chr(code)) AS folded, normalize(chr(code), NFKC) AS compatible
       FROM generate_series(1, 131071) AS code WHERE code NOT BETWEEN 55296 AND 57343`,
    );
    expect(rows.length).toBeGreaterThan(120_000);
    // Letters that only one of the two Unicode versions has are each their own.
    const known = rows.filter(({ letter, compatible }) => letter.normalize('NFKC') === compatible);
    expect(rows.length - known.length).toBeLessThan(100);
    expect(known.filter(({ letter, folded }) => folded !== foldedText(letter))).toEqual([]);
  });

  it.each(words)('a delivery called %s is found by %s', async (name, search) => {
    const id = await buildDelivery(made.database, app);
    await made.database.query('UPDATE deliveries SET name = $2, title = $2 WHERE id = $1', [
      id,
      `100%_ ${name}!`,
    ]);
    for (const filters of [{ name: search }, { title: `%_ ${search}` }]) {
      const { rows } = await listDeliveries(made.database, app, filters, page);
      expect(rows.map((row) => row.id)).toContain(id);
    }
    expect((await listDeliveries(made.database, app, { name: `_${search}` }, page)).total).toBe(0);
  });

  it.each(words)('a reader called %s is found by %s, and so is a tag', async (name, search) => {
    await made.database.query(
      `UPDATE subscriptions SET user_identity = $2, external_ids = jsonb_build_object('crm', 'id ' || $2),
         tags = jsonb_build_object('city', $2::text), browser_name = $2 WHERE app_id = $1 AND seq = 2`,
      [app, name],
    );
    for (const filters of [{ search }, { search: `ID ${search}` }, { browser: search }]) {
      const { from, seq, values } = select(app, { filters, searchedSeq: null, sort: null });
      expect(await made.database.query(`SELECT ${seq} AS seq ${from}`, [...values])).toEqual([{ seq: 2 }]);
    }
    expect(await findTags(made.database, app, search)).toEqual({ keys: ['city'], values: [name] });
    const person = { external_id: { name: 'crm', value: `id ${name}` } };
    expect([...(await findPerson(made.database, app, person))]).toEqual([2]);
  });

  it.each(words)('a category %s leaves no room for %s', async (name, same) => {
    const { id: own } = await buildApp(made.database);
    expect(await insertCategory(made.database, own, { name, description: '' })).not.toBeNull();
    expect(await insertCategory(made.database, own, { name: same, description: '' })).toBeNull();
    const other = await insertCategory(made.database, own, { name: 'Other', description: '' });
    await expect(updateCategory(made.database, own, other?.id ?? 0, { name: same })).rejects.toMatchObject({
      code: '23505',
    });
  });

  it('names are listed as people look for them', async () => {
    const { id: own } = await buildApp(made.database);
    for (const name of ['zebra', 'Österreich', 'Politik', 'Ärzte', 'arbeit', 'Éire', 'Zürich', 'ﬁnanzen'])
      await insertCategory(made.database, own, { name, description: '' });
    const { rows } = await listCategories(made.database, own, page);
    expect(rows.map(({ name }) => name)).toEqual([
      ...['arbeit', 'Ärzte', 'Éire', 'ﬁnanzen', 'Österreich', 'Politik', 'zebra', 'Zürich'],
    ]);
  });

  it('an address is found in any case, and never by letters that only look like its own', async () => {
    await addUser(made, 'JÖRG.Kiwi@News.example');
    for (const same of ['jörg.kiwi@news.example', 'JÖRG.KIWI@NEWS.EXAMPLE', ' Jörg.Kiwi@news.example '])
      expect(await findLogIn(made.database, same)).toMatchObject({ email: 'JÖRG.Kiwi@News.example' });
    for (const other of ['jörg.\u212aiwi@news.example', 'jorg.kiwi@news.example', 'jörg.kiwi@ｎews.example'])
      expect(await findLogIn(made.database, other)).toBeNull();
  });
});

const words = [
  ['ÖSTERREICH', 'österreich'],
  ['Köln', 'KÖLN'],
  ['Ko\u0308ln', 'köLN'],
  ['ISTANBUL', 'istanbul'],
  ['İSTANBUL', 'istanbul'],
  ['ısparta', 'ISPARTA'],
  ['ΟΔΟΣ', 'οδος'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['Straße', 'STRASSE'],
  ['МОСКВА', 'москва'],
  ['Ｎｅｗｓ', 'news'],
  ['Ελλάδα ᾳ', 'ΕΛΛΆΔΑ ΑΙ'],
] as const;

async function addUser({ database }: TestDatabase, email: string): Promise<void> {
  await database.query(
    `INSERT INTO users (organization_id, email, name, role) SELECT id, $1, 'Ada', 'member' FROM organizations LIMIT 1`,
    [email],
  );
}

describe('names of before that are one name now', () => {
  let made: TestDatabase;
  let app: AppId;

  beforeAll(async () => {
    made = await createEmptyDatabase(locales.C);
    await runMigrations(
      made.url,
      (await listMigrationNames()).filter((name) => name < RELEASE_BEFORE),
    );
    app = (await buildApp(made.database)).id;
    for (const name of ['Köln', 'KÖLN', 'Politik'])
      await made.database.query(`INSERT INTO delivery_categories (app_id, name) VALUES ($1, $2)`, [
        app,
        name,
      ]);
    for (const email of ['jörg@news.example', 'JÖRG@news.example']) await addUser(made, email);
    await buildSubscriptions(made.database, app, 3);
    await made.database.query(
      `UPDATE subscriptions SET user_identity = 'JÖRG', external_ids = '{"crm": "ÄB-1234"}' WHERE app_id = $1 AND seq = 1`,
      [app],
    );
    await migrateDatabase(made.url, made.database);
  });
  afterAll(() => made?.drop());

  const names = async () =>
    (await listCategories(made.database, app, page)).rows.map(({ name }) => name).toSorted();

  it('stay, and doctor lists them', async () => {
    expect(await names()).toEqual(['KÖLN', 'Köln', 'Politik']);
    const found = await checkPostgres(made.database, null);
    expect(found.filter(({ state }) => state === 'warning')).toMatchObject([
      {
        text: expect.stringMatching(/^the category KÖLN of app-\w+ is Köln in any case$/),
        mend: 'Rename one of them.',
      },
      { text: 'the user JÖRG@news.example of Daily Example is jörg@news.example in any case' },
    ]);
  });

  it('are each found by their own spelling, and the older one by any other', async () => {
    for (const [given, found] of [
      ['jörg@news.example', 'jörg@news.example'],
      ['JÖRG@news.example', 'JÖRG@news.example'],
      ['JöRG@news.example', 'jörg@news.example'],
    ] as const)
      expect(await findLogIn(made.database, given)).toMatchObject({ email: found });
  });

  it('take no third one, and are no longer told of when one is renamed', async () => {
    expect(await insertCategory(made.database, app, { name: 'kÖln', description: '' })).toBeNull();
    const { rows } = await listCategories(made.database, app, page);
    const later = rows.find(({ name }) => name === 'KÖLN')?.id ?? 0;
    expect(await updateCategory(made.database, app, later, { description: 'As it was.' })).not.toBeNull();
    expect(await updateCategory(made.database, app, later, { name: 'Bonn' })).not.toBeNull();
    const found = await checkPostgres(made.database, null);
    expect(found.filter(({ text }) => text.includes('category'))).toEqual([]);
    await expect(updateCategory(made.database, app, later, { name: 'KÖLN' })).rejects.toMatchObject({
      code: '23505',
    });
  });

  it('a reader of before is erased at once, and found by a search when an engine has been there', async () => {
    const person = { external_id: { name: 'crm', value: 'ÄB-1234' } };
    expect([...(await findPerson(made.database, app, person))]).toEqual([1]);
    let steps = 0;
    const foldFacets = createFoldFacets(made.database);
    while ((await foldFacets()) > 0) steps++;
    expect(steps).toBe(1);
    const { from, seq, values } = select(app, { filters: { search: 'jörg' }, searchedSeq: null, sort: null });
    expect(await made.database.query(`SELECT ${seq} AS seq ${from}`, [...values])).toEqual([{ seq: 1 }]);
    expect([...(await findPerson(made.database, app, person))]).toEqual([1]);
  });
});
