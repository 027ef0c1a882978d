import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { type Segment, type SegmentBody, segmentQuery, segmentsKey } from '../data/segments/queries.ts';
import { t } from '../texts/t.ts';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { toastDone } from '../ui/toast.ts';
import { draftOf } from './convert.ts';
import { SegmentForm } from './segment-form.tsx';
import { SegmentLinks } from './segment-links.tsx';

export function EditSegmentPage(): ReactNode {
  const { identifier: app } = useApp();
  const { segment: id } = useParams({ from: '/in/apps/$app/segments/$segment' });
  const query = useQuery(segmentQuery(useApi(), app, id));
  return (
    <Page
      title={t.segments.editTitle}
      actions={query.data && <SegmentLinks app={app} segment={query.data} />}
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
