import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../apps/use-app.ts';
import { dataOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { Loaded } from '../shell/loading.tsx';
import { Page } from '../shell/page.tsx';
import { toastDone } from '../shell/toast.ts';
import { t } from '../texts/t.ts';
import { draftOf } from './convert.ts';
import { type Segment, type SegmentBody, segmentQuery, segmentsKey } from './queries.ts';
import { SegmentForm } from './segment-form.tsx';

export function EditSegmentPage(): ReactNode {
  const { identifier: app } = useApp();
  const { segment: id } = useParams({ from: '/in/apps/$app/segments/$segment' });
  const query = useQuery(segmentQuery(useApi(), app, id));
  return (
    <Page
      title={t.segments.editTitle}
      crumbs={[{ label: t.nav.segments, to: '/apps/$app/segments', params: { app } }]}
    >
      <Loaded query={query}>{(segment) => <EditForm key={segment.id} app={app} segment={segment} />}</Loaded>
    </Page>
  );
}

function EditForm({ app, segment }: { app: string; segment: Segment }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [rule] = useState(() => draftOf(segment.rules));
  const save = useMutation({
    mutationFn: (body: SegmentBody) =>
      dataOf(
        api.PUT('/api/v1/client/apps/{identifier}/segments/{segment_id}', {
          params: { path: { identifier: app, segment_id: String(segment.id) } },
          body,
        }),
      ),
  });
  return (
    <SegmentForm
      name={segment.name}
      rule={rule}
      act={t.actions.save}
      busy={save.isPending}
      onSave={async (body) => {
        await save.mutateAsync(body);
        toastDone(t.segments.saved);
        await queries.invalidateQueries({ queryKey: segmentsKey(app) });
        await navigate({ to: '/apps/$app/segments', params: { app } });
      }}
    />
  );
}
