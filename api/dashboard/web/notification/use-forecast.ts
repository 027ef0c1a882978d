import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '../data/apps/use-app.ts';
import { recentDeliveriesQuery } from '../data/deliveries/queries.ts';
import { useServices } from '../data/http/services.tsx';
import { audienceQuery, segmentChoicesQuery } from '../data/segments/audience-queries.ts';
import { type NearLimit, nearLimitQuery } from '../data/standing/readers-queries.ts';
import { secondsFor, speedOf } from './estimate.ts';
import { estimateBytes } from './payload-size.ts';
import { type AudienceValues, addressOf, type ComposeValues } from './values.ts';
import { contentsOf } from './variants.ts';

const SETTLED_MS = 300;

/** The estimate before sending. */
export interface Forecast {
  /** Undefined while they are counted; null where they cannot be. */
  readonly readers: number | null | undefined;
  /** The subset that chose the category; null without one, and while they are not counted. */
  readonly chose: number | null;
  readonly bytes: number;
  /** Null where there is no estimate. */
  readonly seconds: number | null;
  /** The number of deliveries that the estimate is based on. */
  readonly measured: number;
}

export function useForecast(values: ComposeValues): Forecast {
  const app = useApp();
  const { api, baseUrl } = useServices();
  const { readers, chose } = useReaders(values);
  const recent = useQuery(recentDeliveriesQuery(api, app.identifier));
  const speed = speedOf(recent.data?.data ?? []);
  const { topic } = values;
  const context = { baseUrl, app: app.identifier, params: app.default_query_params, site: app.site_domain };
  const sizes = contentsOf(values).map(
    ({ title, body, url, image, icon, language, action_buttons: buttons }) => {
      const pictures = { hasImage: image !== 'none', hasIcon: icon !== 'none' };
      return estimateBytes(
        { title, body, url: addressOf(url), ...pictures, language, buttons, topic },
        context,
      );
    },
  );
  // Of a test, its largest variant.
  const bytes = Math.max(...sizes);
  const seconds = typeof readers === 'number' ? secondsFor(readers, speed, values.rate_per_minute) : null;
  return { readers, chose, bytes, seconds, measured: speed?.deliveries ?? 0 };
}

/** The rules of the chosen audience: undefined for everyone, null while they are not known. */
function useAudience({ segment_id, delivery_category_id }: AudienceValues) {
  const { identifier } = useApp();
  const { api } = useServices();
  const [segment] = useDebouncedValue(segment_id, SETTLED_MS);
  const segments = useQuery({ ...segmentChoicesQuery(api, identifier), enabled: segment !== '' });
  const found = segments.data?.data.find(({ id }) => String(id) === segment);
  const rules = segment === '' ? undefined : (found?.rules ?? null);
  const category = delivery_category_id === '' ? null : Number(delivery_category_id);
  const lost = segments.data !== undefined && segment !== '' && found === undefined;
  return { rules, category, lost, settled: segment === segment_id };
}

/** How many are in the audience now. */
export function useReaders(values: AudienceValues): Pick<Forecast, 'readers' | 'chose'> {
  const { identifier } = useApp();
  const { api } = useServices();
  const { rules, category, lost, settled } = useAudience(values);
  const count = useQuery(audienceQuery(api, identifier, rules, category));
  if (lost || count.isError) return { readers: null, chose: null };
  if (!settled || count.data === undefined) return { readers: undefined, chose: null };
  return { readers: count.data.count, chose: count.data.chose_category };
}

/** Readers of the audience near Chrome's limit; null where there is none, and while they are not counted. */
export function useNearLimit(values: AudienceValues): NearLimit | null {
  const { identifier } = useApp();
  const { api } = useServices();
  const { rules, category, lost, settled } = useAudience(values);
  const { data } = useQuery(nearLimitQuery(api, identifier, lost ? null : rules, category));
  return data === undefined || !settled || data.at_limit === 0 ? null : data;
}
