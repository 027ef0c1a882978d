import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { homeScreenQuery, keysQuery, lastDeliveryQuery } from '../data/apps/overview-queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { CheckList } from '../parts/check-list.tsx';
import { checksOf, iconCheck, iphoneCheck } from '../parts/checks.ts';
import { t } from '../texts/t.ts';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

/** The remaining steps until notifications reach readers. @param onlyWhereOpen nothing once all are done. */
export function Setup({ onlyWhereOpen = false }: { onlyWhereOpen?: boolean }): ReactNode {
  const app = useApp();
  const api = useApi();
  const keys = useQuery(keysQuery(api, app.identifier));
  const last = useQuery(lastDeliveryQuery(api, app.identifier));
  const checks =
    keys.data === undefined || last.data === undefined
      ? []
      : checksOf({ app, keys: keys.data, last: last.data });
  const isShown = !onlyWhereOpen || checks.some(({ state }) => state !== 'done');
  const site = useQuery({ ...homeScreenQuery(api, app.identifier), enabled: isShown });
  if (!isShown) return null;
  const found = [...checks, ...(checks.length === 0 ? [] : [iconCheck(app)])];
  const all = site.data === undefined ? found : [...found, iphoneCheck(site.data)];
  return (
    <Section title={t.checks.title} description={t.checks.hint}>
      <Loaded query={keys}>
        {() => <Loaded query={last}>{() => <CheckList checks={all} app={app.identifier} />}</Loaded>}
      </Loaded>
    </Section>
  );
}
