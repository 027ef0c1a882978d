import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { bodyOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { useMay } from '../session/for-role.tsx';
import { ConfirmedButton } from '../shell/confirmed-button.tsx';
import { formatNumber } from '../shell/format.ts';
import { forgetLastApp } from '../shell/last-app.ts';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { type App, appsKey } from './queries.ts';

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
