import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { storeImage } from '../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { checkIcon } from '../../../engine/notification/icons/check-icon.ts';
import { noteImageBase } from '../../client/apps/pictures/keep-pictures.ts';
import { iconPath } from '../../client/apps/pictures/propose-pictures.ts';
import type { TransferPicture } from './format.ts';

interface GivenPicture {
  readonly field: TransferPicture['field'];
  /** In base64. */
  readonly file: string;
  /** Our own address, where it is served. */
  readonly base: string;
}

/** Read as any file of a stranger. A picture that the app has by now stays. */
export async function ensurePicture(
  database: Database,
  appId: AppId,
  { field, file, base }: GivenPicture,
): Promise<void> {
  // It may be one that came from a site, which are smaller.
  const use = field === 'icon_url' ? 'touch-icon' : 'badge';
  const checked = await checkIcon(use, Buffer.from(file, 'base64'));
  if (checked.kind === 'refused') throw new CliError(`the ${field} in the file ${checked.words}`);
  const path = iconPath(checked.icon);
  await database.transaction(async (sql) => {
    await storeImage(sql, checked.icon);
    await sql.query('INSERT INTO app_images (app_id, hash) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      appId,
      checked.icon.hash,
    ]);
    await sql.query(`UPDATE apps SET ${field} = coalesce(${field}, $2) WHERE id = $1`, [appId, path]);
    await noteImageBase(sql, appId, base);
  });
}
