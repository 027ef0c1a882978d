import { Anchor, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formerSnippets, formerWorkers } from '../../../sdk/former-workers.ts';
import { useServices } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { Snippet } from '../ui/copy.tsx';

/** For a site whose readers are imported: what stands at the former worker's address, and in its pages. */
export function MovingPart({ app }: { app: string }): ReactNode {
  const { baseUrl } = useServices();
  const [name, setName] = useState<string>(formerWorkers[0]?.name ?? '');
  const former = formerWorkers.find((each) => each.name === name);
  if (former === undefined) return null;
  const parts = formerSnippets({ baseUrl, appId: app }, former);
  const paths = [former.path, ...former.others].join(', ');
  const shown = [
    { label: t.integration.moving.beside(paths), text: parts.beside },
    { label: t.integration.moving.worker(paths), text: parts.worker },
    { label: t.integration.moving.page, text: parts.page },
  ];
  return (
    <Stack gap="sm">
      <Text>{t.integration.moving.hint}</Text>
      <Select
        label={t.integration.moving.service}
        data={formerWorkers.map((each) => ({
          value: each.name,
          label: each.name === 'webpush' ? t.integration.moving.ownServer : each.title,
        }))}
        value={name}
        onChange={(chosen) => chosen !== null && setName(chosen)}
        allowDeselect={false}
        maw={320}
      />
      {shown.map(({ label, text }) => (
        <div key={label}>
          <Text size="sm" fw={500} mb={4}>
            {label}
          </Text>
          <Snippet text={text} label={label} />
        </div>
      ))}
      <Anchor href={`${baseUrl}/docs/guides/moving`} target="_blank" rel="noreferrer">
        {t.integration.moving.guide}
      </Anchor>
    </Stack>
  );
}
