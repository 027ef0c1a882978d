import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../data/http/services.tsx';
import { type Webhook, webhookQuery } from '../data/webhooks/queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Messages } from './messages.tsx';
import { Status } from './status.tsx';
import { shortened } from './types.ts';
import { WebhookActs } from './webhook-acts.tsx';
import classes from './webhooks.module.css';

/** One webhook: what it gets, and what was sent to it. */
export function WebhookPage(): ReactNode {
  const { webhook: id } = useParams({ from: '/in/settings/webhooks/$webhook' });
  const { page = 1 } = useSearch({ from: '/in/settings/webhooks/$webhook' });
  const query = useQuery(webhookQuery(useApi(), id));
  const { data } = query;
  return (
    <Page
      title={t.webhooks.one(id)}
      crumbs={[{ label: t.webhooks.title, to: '/settings/webhooks' }]}
      description={<span className={classes.words}>{data?.url}</span>}
      actions={data && <WebhookActs webhook={data} />}
    >
      <Loaded query={query}>
        {(webhook) => (
          <>
            <Facts facts={factsOf(webhook)} />
            <Messages webhook={webhook} page={page} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const factsOf = (webhook: Webhook): [string, ReactNode][] => [
  ...(webhook.description === ''
    ? []
    : [[t.webhooks.descriptionField, webhook.description] satisfies [string, ReactNode]]),
  [t.webhooks.status, <Status key="status" webhook={webhook} />],
  [t.webhooks.types, shortened(webhook.types).join(', ')],
  [t.webhooks.waiting, formatNumber(webhook.waiting)],
  ...(webhook.old_secret_until === null
    ? []
    : [[t.webhooks.oldSecret, formatTime(webhook.old_secret_until)] satisfies [string, ReactNode]]),
];
