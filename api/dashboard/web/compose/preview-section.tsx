import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { NotificationPreview } from './preview/preview.tsx';
import { useShownImage } from './use-shown-image.ts';
import type { Content } from './values.ts';

/** The draft as readers will see it. */
export function PreviewSection({ site, shown }: { site: string; shown: Content }): ReactNode {
  const image = useShownImage(shown);
  const { title, body, action_buttons: buttons } = shown;
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
