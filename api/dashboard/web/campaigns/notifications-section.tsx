import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CampaignDetail } from '../data/campaigns/queries.ts';
import { NotificationPreview, type NotificationPreviewProps } from '../notification/preview/preview.tsx';
import { t } from '../texts/t.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Section } from '../ui/section.tsx';

const words = t.campaign;

interface Props {
  readonly app: NotificationPreviewProps['app'];
  readonly notifications: CampaignDetail['notifications'];
}

/** What readers see; of a test one chooses the variant. */
export function NotificationsSection({ app, notifications }: Props): ReactNode {
  const [chosen, setChosen] = useState('0');
  const shown = notifications[Number(chosen)] ?? notifications[0];
  if (shown === undefined) return null;
  return (
    <Section title={t.delivery.preview}>
      {notifications.length > 1 && (
        <ChoiceBar
          aria-label={words.variantShown}
          value={chosen}
          onChange={setChosen}
          data={notifications.map((_, index) => ({ value: String(index), label: String(index + 1) }))}
        />
      )}
      <NotificationPreview
        app={app}
        content={{
          title: shown.title,
          body: shown.body,
          image: shown.image_url ?? null,
          icon: shown.icon_url ?? null,
          buttons: (shown.action_buttons ?? []).map((button) => button.title),
        }}
      />
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.delivery.opens}: {shown.url}
      </Text>
    </Section>
  );
}
