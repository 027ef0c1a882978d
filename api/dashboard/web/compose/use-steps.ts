import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '../data/apps/use-app.ts';
import { forecastQuery, type Previewed } from '../data/campaigns/queries.ts';
import type { CampaignStep } from '../data/campaigns/resource.ts';
import { useApi } from '../data/http/services.tsx';
import { isCampaign, isPlanned, planOfValues } from '../notification/campaign.ts';
import type { ComposeValues } from '../notification/values.ts';
import { contentsOf, isTest } from '../notification/variants.ts';

const TYPED_MS = 500;

/** What the campaign would do, and for how many readers; null where it is none, or while that is not known. */
export function useSteps(values: ComposeValues): readonly CampaignStep[] | null {
  const { identifier, time_zone: zone } = useApp();
  const wanted = isCampaign(values) && isPlanned(values) ? JSON.stringify(previewOf(values, zone)) : null;
  const [asked] = useDebouncedValue(wanted, TYPED_MS);
  const { data } = useQuery(
    forecastQuery(useApi(), identifier, asked === null ? null : (JSON.parse(asked) as Previewed)),
  );
  return asked === wanted && asked !== null ? (data?.steps ?? null) : null;
}

const previewOf = (values: ComposeValues, zone: string): Previewed => ({
  plan: planOfValues(values, zone),
  ...(isTest(values) ? { variants: contentsOf(values).length } : {}),
  ...(values.segment_id === '' ? {} : { segment_id: Number(values.segment_id) }),
  ...(values.delivery_category_id === ''
    ? {}
    : { delivery_category_id: Number(values.delivery_category_id) }),
});
