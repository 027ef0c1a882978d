import { Badge, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { hasPasskeys } from '../../data/account/passkeys/browser.ts';
import { type Passkey, passkeysKey, passkeysQuery } from '../../data/account/passkeys/queries.ts';
import { meKey } from '../../data/account/queries.ts';
import { bodyOf } from '../../data/http/api.ts';
import { useApi } from '../../data/http/services.tsx';
import { formatAgo, formatDay } from '../../format/format.ts';
import { PasswordDialog } from '../../parts/password-dialog.tsx';
import { t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LoadProblem } from '../../ui/loading.tsx';
import { Section } from '../../ui/section.tsx';
import { toastDone } from '../../ui/toast.ts';
import { Codes } from '../codes.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { RenamePasskey } from './rename-passkey.tsx';

const words = t.passkeys;

const columns: readonly Column<Passkey>[] = [
  {
    key: 'name',
    header: words.name,
    names: true,
    cell: ({ name, stopped }) => (
      <Group gap="xs">
        {name}
        {stopped && <Badge color="red">{words.stopped}</Badge>}
      </Group>
    ),
  },
  { key: 'since', header: words.since, cell: ({ created_at }) => formatDay(created_at) },
  {
    key: 'used',
    header: words.used,
    cell: ({ last_used_at: used }) => (used === null ? words.never : formatAgo(used)),
  },
  { key: 'acts', header: t.table.acts, acts: true, cell: (passkey) => <Acts passkey={passkey} /> },
];

/** One's own passkeys. */
export default function PasskeysSection(): ReactNode {
  const query = useQuery(passkeysQuery(useApi()));
  const queries = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const refresh = () =>
    Promise.all([passkeysKey, meKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const added = (fresh: readonly string[]): void => {
    setAdding(false);
    setCodes(fresh);
    toastDone(words.added);
    // Where codes are shown, the page stays as it is until they are copied.
    if (fresh.length === 0) void refresh();
  };
  return (
    <Section title={words.title} description={words.description}>
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        query.data?.length !== 0 && (
          <DataTable label={words.title} columns={columns} rows={query.data} keyOf={({ id }) => id} />
        )
      )}
      {query.data?.some(({ stopped }) => stopped) && <Text size="sm">{words.stoppedText}</Text>}
      {hasPasskeys() ? (
        <Group>
          <Button variant="default" onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        </Group>
      ) : (
        <Text size="sm">{words.unsupported}</Text>
      )}
      {adding && <AddPasskey onClose={() => setAdding(false)} onAdded={added} />}
      {codes.length > 0 && (
        <Codes
          codes={codes}
          onClose={() => {
            setCodes([]);
            void refresh();
          }}
        />
      )}
    </Section>
  );
}

function Acts({ passkey: { id, name } }: { passkey: Passkey }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Group justify="flex-end" gap="xs">
      <Button
        size="xs"
        variant="default"
        aria-label={words.renameTitle(name)}
        onClick={() => setOpen('rename')}
      >
        {words.rename}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={words.removeTitle(name)}
        onClick={() => setOpen('remove')}
      >
        {words.remove}
      </Button>
      {open === 'rename' && <RenamePasskey id={id} name={name} onClose={close} />}
      {open === 'remove' && (
        <PasswordDialog
          title={words.removeTitle(name)}
          text={words.removeText}
          act={words.remove}
          onClose={close}
          run={async (body) => {
            const params = { path: { passkey_id: String(id) } };
            await bodyOf(api.POST('/api/v1/account/me/passkeys/{passkey_id}/remove', { params, body }));
            toastDone(words.removed);
            await Promise.all(
              [passkeysKey, meKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
            );
          }}
        />
      )}
    </Group>
  );
}
