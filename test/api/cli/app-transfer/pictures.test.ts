// tier: system
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportApp } from '../../../../api/cli/app-transfer/export-app.ts';
import { importLines } from '../../../../api/cli/app-transfer/import-lines.ts';
import { subscriptionRules } from '../../../../api/cli/import/rules.ts';
import { iconPath } from '../../../../api/client/apps/pictures/propose-pictures.ts';
import { storeImage } from '../../../../engine/adapters/postgres/deliveries/store-image.ts';
import { readRecords } from '../../../../engine/kit/command-line/file/records.ts';
import { checkIcon } from '../../../../engine/notification/icons/check-icon.ts';
import { writePng } from '../../../../engine/notification/icons/png-icon.ts';
import { buildApp, testSealer } from '../../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';

const fileOf = (name: string): Buffer =>
  readFileSync(new URL(`../../../support/icons/${name}`, import.meta.url));
const passphrase = 'correct horse battery';

/** Its file has several pieces: few colours of it come twice. */
function noise(): Buffer {
  const data = new Uint8Array(512 * 512 * 4).map((_, at) => (at % 4 === 3 ? 255 : (at * at * 31 + at) % 251));
  for (let at = 0; at < data.length; at += 7) if (at % 4 !== 3) data[at] = (at * 2_654_435_761) >>> 24;
  return writePng({ width: 512, height: 512, data, colours: [] });
}

describe('the pictures of an app that is exported', () => {
  let here: TestDatabase;
  let there: TestDatabase;
  beforeAll(async () => {
    [here, there] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await there.database.query(`INSERT INTO organizations (name) VALUES ('New Home')`);
  });
  afterAll(async () => {
    await Promise.all([here.drop(), there.drop()]);
  });

  async function exported(identifier: string): Promise<string[]> {
    const lines: string[] = [];
    const write = async (more: readonly string[]) => void lines.push(...more);
    const deps = { database: here.database, sealer: testSealer, write, onProgress: () => {} };
    await exportApp({ app: identifier, passphrase }, deps);
    return lines;
  }
  const imported = (lines: readonly string[]) => {
    async function* bytes() {
      yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
    }
    const policy = { hosts: [], allowAnyHost: true };
    const deps = {
      database: there.database,
      sealer: testSealer,
      policy,
      base: 'https://push.example.com',
      onRefusal: () => {},
      onProgress: () => {},
    };
    const request = { organization: 'New Home', passphrase };
    return importLines(readRecords(bytes(), 'ndjson', subscriptionRules), request, deps);
  };
  const keep = async (use: 'icon' | 'badge', file: Buffer) => {
    const checked = await checkIcon(use, file);
    if (checked.kind !== 'icon') throw new Error(checked.words);
    await storeImage(here.database, checked.icon);
    return iconPath(checked.icon);
  };

  it('go as files, and have the same names elsewhere', async () => {
    const app = await buildApp(here.database);
    const given = [await keep('icon', noise()), await keep('badge', fileOf('pillow-badge.png'))];
    await here.database.query(
      'UPDATE apps SET icon_url = $2, badge_url = $3, app_badge = true WHERE id = $1',
      [app.id, ...given],
    );
    const lines = await exported(app.identifier);
    expect(lines.filter((line) => line.includes('"picture"')).length).toBeGreaterThan(3);
    expect(lines.every((line) => line.length < 65_536)).toBe(true);
    for (let times = 0; times < 2; times++) {
      const { app: moved } = await imported(lines);
      const rows = await there.database.query(
        `SELECT icon_url, badge_url, app_badge, image_base, (SELECT count(*)::integer FROM app_images JOIN images USING (hash)
           WHERE app_id = apps.id) AS images FROM apps WHERE id = $1`,
        [moved.id],
      );
      expect(rows).toEqual([
        {
          icon_url: given[0],
          badge_url: given[1],
          app_badge: true,
          image_base: 'https://push.example.com',
          images: 2,
        },
      ]);
    }
  });

  it('are refused where their pieces go on without end', async () => {
    const app = await buildApp(here.database);
    const lines = await exported(app.identifier);
    const piece = JSON.stringify({ picture: { field: 'icon_url', piece: 'AAAA', left: 1 } });
    const endless = [...lines.slice(0, 1), piece, piece, ...lines.slice(1)];
    await expect(imported(endless)).rejects.toThrow(
      'the pieces of icon_url in the file are not in their order',
    );
  });

  it('go by their addresses where others serve them', async () => {
    const app = await buildApp(here.database);
    await here.database.query(`UPDATE apps SET icon_url = 'https://news.example/i.png' WHERE id = $1`, [
      app.id,
    ]);
    const { app: moved } = await imported(await exported(app.identifier));
    const rows = await there.database.query('SELECT icon_url FROM apps WHERE id = $1', [moved.id]);
    expect(rows).toEqual([{ icon_url: 'https://news.example/i.png' }]);
  });
});
