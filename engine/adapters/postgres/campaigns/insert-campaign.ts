import type { CampaignProgress, CampaignSettings } from '../../../contract/campaign.ts';
import { iconHashesOf } from '../../../contract/icon-hashes.ts';
import type { AppId, UserId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

export interface NewCampaign {
  readonly appId: AppId;
  readonly name: string;
  readonly settings: CampaignSettings;
  readonly progress: CampaignProgress;
  /** Null: none comes until somebody approves it. */
  readonly firstStepAt: Date | null;
  /** Who wrote it; absent: no person did. */
  readonly authors?: readonly UserId[];
  /** The recurring campaign that it is a firing of. */
  readonly parent: { readonly id: number; readonly run: string } | null;
}

/** @returns its id. */
export async function insertCampaign(sql: Sql, campaign: NewCampaign): Promise<number> {
  const { settings, parent } = campaign;
  const { segmentId, categoryId } = settings.options;
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO campaigns (app_id, kind, name, settings, progress, segment_id, delivery_category_id, image_hashes,
       next_step_at, parent_id, run, authors)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`,
    [
      campaign.appId,
      settings.plan.kind,
      campaign.name,
      JSON.stringify(settings),
      JSON.stringify(campaign.progress),
      segmentId,
      categoryId,
      imageHashesOf(settings),
      campaign.firstStepAt,
      parent?.id,
      parent?.run,
      campaign.authors ?? [],
    ],
  );
  if (row === undefined) throw new Error('the campaign just inserted has no id');
  return row.id;
}

/** Of the images and icons that its contents show, and the items of its feed. */
export const imageHashesOf = ({
  contents,
  plan,
}: Pick<CampaignSettings, 'contents'> & Partial<Pick<CampaignSettings, 'plan'>>): Buffer[] => [
  ...contents.flatMap(({ imageHash }) => (imageHash === null ? [] : [Buffer.from(imageHash, 'hex')])),
  ...contents.flatMap(iconHashesOf),
  ...(plan?.kind === 'feed' ? iconHashesOf(plan.mapping) : []),
];
