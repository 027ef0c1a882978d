import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { NotificationPreview } from './preview/preview.tsx';
import { useShownImage } from './use-shown-image.ts';
import type { ComposeValues } from './values.ts';

/** What is being written, as readers will see it. */
export function PreviewSection({ site, values }: { site: string; values: ComposeValues }): ReactNode {
  const image = useShownImage(values);
  const { title, body, action_buttons: buttons } = values;
  return (
    <Section title={t.preview.label}>
      <NotificationPreview
        site={site}
        content={{ title, body, image: image.src, buttons: buttons.map((button) => button.title) }}
      />
      {image.hidden && (
        <Text c="dimmed" size="xs">
          {t.preview.imageInsecure}
        </Text>
      )}
    </Section>
  );
}
