import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../data/account/for-role.tsx';
import { type App, appsKey } from '../data/apps/queries.ts';
import { bodyOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber } from '../format/format.ts';
import { forgetLastApp } from '../frame/last-app.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { Section } from '../ui/section.tsx';

/** The end of an app: its name must be typed. */
export function DeleteApp({ app }: { app: App }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { identifier } = app;
  const isAdmin = useMay('admin');
  const run = async (): Promise<void> => {
    await bodyOf(api.DELETE('/api/v1/client/apps/{identifier}', { params: { path: { identifier } } }));
    forgetLastApp();
    await navigate({ to: '/apps', ignoreBlocker: true });
    queries.removeQueries({ queryKey: [...appsKey, 'one', identifier] });
    await queries.invalidateQueries({ queryKey: appsKey });
  };
  if (!isAdmin) return <Section title={t.deleteApp.title} description={t.deleteApp.adminsOnly} />;
  return (
    <Section title={t.deleteApp.title} description={t.deleteApp.hint} danger>
      <div>
        <ConfirmedButton
          label={t.deleteApp.open}
          title={t.deleteApp.question(app.name)}
          text={t.deleteApp.consequence(formatNumber(app.subscriber_count))}
          act={t.deleteApp.act}
          typed={{ label: t.deleteApp.type(app.name), text: app.name }}
          run={run}
          done={t.deleteApp.done(app.name)}
          button={{ color: 'red', variant: 'outline' }}
        />
      </div>
    </Section>
  );
}
