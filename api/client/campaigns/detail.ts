import { readVariants } from '../../../engine/adapters/postgres/campaigns/campaign-store.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import type { ClicksOf } from '../analytics/clicks-or-null.ts';
import type { ReaderTimes } from './reader-times.ts';
import { campaignResource, variantsOf } from './resource.ts';
import type { CampaignDetail } from './schema.ts';
import { deliveriesOf, type StoredCampaign } from './store.ts';

/** A campaign with its clicks, and how its variants do. */
export async function readDetail(
  sql: Sql,
  campaign: StoredCampaign,
  clicksOf: (deliveries: readonly { readonly id: DeliveryId }[]) => Promise<ClicksOf>,
  times: ReaderTimes | null,
): Promise<CampaignDetail> {
  const deliveries = await deliveriesOf(sql, campaign.id);
  const clicks = await clicksOf(deliveries);
  const each = deliveries.map(({ id }) => clicks(id));
  const known = each.filter((count) => count !== null);
  const variants = campaign.kind === 'ab_test' ? await readVariants(sql, campaign.id) : [];
  const counted = variants.flatMap(({ deliveryId, accepted }) => {
    const clicked = clicks(deliveryId);
    return clicked === null ? [] : [{ deliveryId, accepted, clicked: Math.min(clicked, accepted) }];
  });
  return {
    ...campaignResource(campaign, times),
    click_count: known.length < each.length ? null : known.reduce((sum, count) => sum + count, 0),
    ...variantsOf(counted.length === variants.length ? counted : []),
  };
}
