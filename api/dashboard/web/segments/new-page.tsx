import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { newGroup } from '../data/segments/draft.ts';
import { type SegmentBody, segmentsKey } from '../data/segments/queries.ts';
import { t } from '../texts/t.ts';
import { Page } from '../ui/page.tsx';
import { toastDone } from '../ui/toast.ts';
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
