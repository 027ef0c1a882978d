import { Button, FileButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PictureChange, PictureUse } from '../data/apps/pictures.ts';
import { t } from '../texts/t.ts';
import { PictureShown } from './picture-shown.tsx';

export interface PictureRowProps {
  readonly use: PictureUse;
  /** Null: none. */
  readonly url: string | null;
  /** What is wrong with the last one, in words. */
  readonly problem: string | null;
  readonly busy: boolean;
  readonly may: boolean;
  readonly onChange: (change: PictureChange) => void;
}

const accept = { icon: 'image/png,image/jpeg,image/webp', badge: 'image/png' } as const;
const MOST_CHARACTERS = 2_048;

/** One of the app's pictures: how it looks, and where it comes from. */
export function PictureRow(row: PictureRowProps): ReactNode {
  const { use, url, problem, busy, may, onChange } = row;
  const words = t.pictures[use];
  const [refused, setRefused] = useState<string | null>(null);
  const upload = (file: File | null): void => {
    if (file === null) return;
    if (refused !== null) URL.revokeObjectURL(refused);
    setRefused(URL.createObjectURL(file));
    onChange({ kind: 'file', use, file });
  };
  return (
    <Stack gap="xs">
      <Group wrap="nowrap" align="flex-start">
        <PictureShown use={use} src={url} />
        <div>
          <Text fw={500}>{words.label}</Text>
          <Text size="sm" c="dimmed">
            {words.hint}
          </Text>
        </div>
      </Group>
      <Group gap="xs">
        <FileButton accept={accept[use]} onChange={upload} disabled={!may}>
          {(props) => (
            <Button {...props} variant="default" loading={busy} disabled={!may}>
              {words.upload}
            </Button>
          )}
        </FileButton>
        {url !== null && (
          <Button
            variant="subtle"
            color="red"
            disabled={!may}
            onClick={() => onChange({ kind: 'set', pictures: { [`${use}_url`]: null } })}
          >
            {words.remove}
          </Button>
        )}
      </Group>
      <AddressField key={url} {...row} />
      {problem !== null && (
        <div role="alert">
          <Text size="sm" c="red">
            {problem}
          </Text>
          {use === 'badge' && refused !== null && (
            <Group wrap="nowrap" mt="xs">
              <PictureShown use="badge" src={refused} />
              <Text size="sm">{t.pictures.badge.would}</Text>
            </Group>
          )}
        </div>
      )}
    </Stack>
  );
}

function AddressField({ use, url, busy, may, onChange }: PictureRowProps): ReactNode {
  const [typed, setTyped] = useState(url ?? '');
  const given = typed.trim();
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        label={t.pictures[use].address}
        value={typed}
        maxLength={MOST_CHARACTERS}
        placeholder="https://"
        disabled={!may}
        style={{ flex: '1 1 14rem' }}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {given !== (url ?? '') && given !== '' && (
        <Button
          variant="default"
          loading={busy}
          onClick={() => onChange({ kind: 'set', pictures: { [`${use}_url`]: given } })}
        >
          {t.pictures[use].useAddress}
        </Button>
      )}
    </Group>
  );
}
