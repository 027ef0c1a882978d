import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../apps/use-app.ts';
import { dataOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { Page } from '../shell/page.tsx';
import { toastDone } from '../shell/toast.ts';
import { t } from '../texts/t.ts';
import { newGroup } from './draft.ts';
import { type SegmentBody, segmentsKey } from './queries.ts';
import { SegmentForm } from './segment-form.tsx';

export function NewSegmentPage(): ReactNode {
  const { identifier: app } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [rule] = useState(() => newGroup());
  const create = useMutation({
    mutationFn: (body: SegmentBody) =>
      dataOf(
        api.POST('/api/v1/client/apps/{identifier}/segments', {
          params: { path: { identifier: app } },
          body,
        }),
      ),
  });
  return (
    <Page
      title={t.segments.newTitle}
      crumbs={[{ label: t.nav.segments, to: '/apps/$app/segments', params: { app } }]}
    >
      <SegmentForm
        name=""
        rule={rule}
        act={t.segments.create}
        busy={create.isPending}
        onSave={async (body) => {
          await create.mutateAsync(body);
          toastDone(t.segments.created);
          await queries.invalidateQueries({ queryKey: segmentsKey(app) });
          await navigate({ to: '/apps/$app/segments', params: { app } });
        }}
      />
    </Page>
  );
}
