import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { campaignQuery } from '../data/campaigns/queries.ts';
import { deliveryQuery } from '../data/deliveries/queries.ts';
import { draftQuery } from '../data/drafts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { localOf } from '../format/local-time.ts';
import { valuesOfCampaign } from '../notification/campaign-values.ts';
import { emptyValues, valuesOf } from '../notification/values.ts';
import { DraftPeople, HandOver } from '../parts/hand-over.tsx';
import { t } from '../texts/t.ts';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { ComposeForm } from './compose-form.tsx';
import { dropDraft, readDraft, valuesOfStored } from './draft.ts';

const words = t.compose;

/** A new notification: from nothing, from the draft one left, or from what was sent or planned. */
export function ComposePage(): ReactNode {
  const { from, like, change, draft, template, at, segment } = useSearch({ from: '/in/apps/$app/compose' });
  const { identifier } = useApp();
  const campaign = change ?? like;
  return (
    <Page title={change === undefined ? t.nav.compose : words.changeTitle} description={words.description}>
      {campaign !== undefined ? (
        <FromCampaign
          key={`${identifier} campaign ${campaign} ${change}`}
          app={identifier}
          id={String(campaign)}
          isChange={change !== undefined}
        />
      ) : draft !== undefined || template !== undefined ? (
        <FromDraft
          key={`${identifier} draft ${draft ?? template}`}
          app={identifier}
          id={String(draft ?? template)}
          isTemplate={draft === undefined}
        />
      ) : from === undefined ? (
        <Fresh key={`${identifier} ${at} ${segment}`} app={identifier} at={at} segment={segment} />
      ) : (
        <Copy key={`${identifier} ${from}`} app={identifier} from={String(from)} />
      )}
    </Page>
  );
}

interface FreshProps {
  readonly app: string;
  /** When it is sent. */
  readonly at: number | undefined;
  /** To whom. */
  readonly segment: number | undefined;
}

function Fresh({ app, at, segment }: FreshProps): ReactNode {
  const asked = {
    ...(at === undefined ? {} : { mode: 'later' as const, scheduled_at: localOf(new Date(at)) }),
    ...(segment === undefined ? {} : { segment_id: String(segment) }),
  };
  const begun = { ...emptyValues, ...asked };
  const [draft, setDraft] = useState(() => readDraft(app));
  const drop = (): void => {
    dropDraft(app);
    setDraft(null);
  };
  const lost = draft?.image === 'file' || draft?.icon === 'file';
  return (
    <>
      {draft !== null && (
        <Note onDrop={drop}>{lost ? `${words.draft} ${words.imageLost}` : words.draft}</Note>
      )}
      <ComposeForm key={String(draft === null)} initial={draft === null ? begun : { ...draft, ...asked }} />
    </>
  );
}

function Copy({ app, from }: { app: string; from: string }): ReactNode {
  const query = useQuery({ ...deliveryQuery(useApi(), app, from), refetchInterval: false });
  const navigate = useNavigate();
  const drop = (): void => {
    dropDraft(app);
    void navigate({ to: '/apps/$app/compose', params: { app } });
  };
  return (
    <Loaded query={query}>
      {(delivery) => (
        <>
          <Note onDrop={drop}>{words.copied(delivery.name)}</Note>
          <ComposeForm initial={valuesOf(delivery)} />
        </>
      )}
    </Loaded>
  );
}

interface FromDraftProps {
  readonly app: string;
  readonly id: string;
  /** It is begun with, and stays as it is. */
  readonly isTemplate: boolean;
}

function FromDraft({ app, id, isTemplate }: FromDraftProps): ReactNode {
  const query = useQuery(draftQuery(useApi(), app, id));
  const navigate = useNavigate();
  const drop = (): void => void navigate({ to: '/apps/$app/compose', params: { app } });
  return (
    <Loaded query={query}>
      {(draft) => (
        <>
          <Note onDrop={drop} act={isTemplate ? null : <HandOver draft={draft} />}>
            {(isTemplate ? t.drafts.fromTemplate : t.drafts.isDraft)(draft.name)}
            {draft.values.image === 'file' && ` ${words.imageLost}`}
            {!isTemplate && (
              <div>
                <DraftPeople draft={draft} />
              </div>
            )}
          </Note>
          <ComposeForm
            key={draft.version}
            initial={valuesOfStored(draft.values)}
            draft={isTemplate ? null : draft}
            onReload={() => void query.refetch()}
          />
        </>
      )}
    </Loaded>
  );
}

interface FromCampaignProps {
  readonly app: string;
  readonly id: string;
  /** Otherwise it is copied. */
  readonly isChange: boolean;
}

function FromCampaign({ app, id, isChange }: FromCampaignProps): ReactNode {
  const { time_zone } = useApp();
  const query = useQuery({ ...campaignQuery(useApi(), app, id), refetchInterval: false });
  const navigate = useNavigate();
  const drop = (): void => void navigate({ to: '/apps/$app/compose', params: { app } });
  return (
    <Loaded query={query}>
      {(campaign) => (
        <>
          <Note onDrop={drop}>{(isChange ? words.changing : words.copied)(campaign.name)}</Note>
          <ComposeForm initial={valuesOfCampaign(campaign, time_zone)} changed={isChange ? campaign : null} />
        </>
      )}
    </Loaded>
  );
}

interface NoteProps {
  readonly children: ReactNode;
  readonly onDrop: () => void;
  /** What else one can do with it. */
  readonly act?: ReactNode;
}

const Note = ({ children, onDrop, act }: NoteProps): ReactNode => (
  <Alert color="indigo" p="sm">
    <Group justify="space-between">
      <div>{children}</div>
      <Group gap="xs">
        {act}
        <Button size="xs" variant="default" onClick={onDrop}>
          {words.draftDrop}
        </Button>
      </Group>
    </Group>
  </Alert>
);
