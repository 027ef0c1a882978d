import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import {
  removeBrowser,
  renameBrowser,
  type TestBrowser,
  testBrowsersKey,
  testBrowsersQuery,
} from '../data/test-browsers/queries.ts';
import { formatTime } from '../format/format.ts';
import { AddBrowser } from '../parts/test-browsers/add-browser.tsx';
import { whereOf } from '../parts/test-browsers/where.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { toastDone } from '../ui/toast.ts';

const words = t.tests;

/** The browsers in which the team sees a notification before readers do. */
export default function TestBrowsersSection(): ReactNode {
  const { identifier } = useApp();
  const query = useQuery(testBrowsersQuery(useApi(), identifier));
  const [adding, setAdding] = useState(false);
  const added = useCallback(() => setAdding(false), []);
  return (
    <Section title={words.title} description={words.description}>
      <Loaded query={query}>
        {(browsers) =>
          browsers.length === 0 ? (
            <Text size="sm">{words.empty}</Text>
          ) : (
            <DataTable label={words.title} columns={columns} rows={browsers} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {adding ? (
        <AddBrowser app={identifier} onAdded={added} />
      ) : (
        <ForRole least="author">
          <Group>
            <Button variant="default" onClick={() => setAdding(true)}>
              {words.add}
            </Button>
          </Group>
        </ForRole>
      )}
    </Section>
  );
}

const columns: readonly Column<TestBrowser>[] = [
  {
    key: 'name',
    header: words.name,
    names: true,
    cell: ({ name, status }) => (
      <Group gap="xs">
        <span style={{ overflowWrap: 'anywhere' }}>{name}</span>
        {status === 'unsubscribed' && <Badge color="gray">{words.gone}</Badge>}
      </Group>
    ),
  },
  { key: 'where', header: words.where, cell: (browser) => <Where browser={browser} /> },
  {
    key: 'by',
    header: words.by,
    cell: ({ registered_by }) => (
      <span style={{ overflowWrap: 'anywhere' }}>{registered_by || t.subscribers.unknown}</span>
    ),
  },
  { key: 'at', header: words.at, time: true, cell: ({ registered_at }) => formatTime(registered_at) },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    cell: (browser) => (
      <ForRole least="author">
        <Acts browser={browser} />
      </ForRole>
    ),
  },
];

function Where({ browser }: { browser: TestBrowser }): ReactNode {
  const { identifier } = useApp();
  const subscriber = String(browser.subscription_id);
  return (
    <Text
      size="sm"
      c="var(--mantine-color-anchor)"
      renderRoot={(props) => (
        <Link to="/apps/$app/subscribers/$subscriber" params={{ app: identifier, subscriber }} {...props} />
      )}
    >
      {whereOf(browser)}
    </Text>
  );
}

function Acts({ browser }: { browser: TestBrowser }): ReactNode {
  const { id, name } = browser;
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const [renaming, setRenaming] = useState(false);
  const remove = async (): Promise<void> => {
    await removeBrowser(api, identifier, id);
    await queries.invalidateQueries({ queryKey: testBrowsersKey(identifier) });
  };
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        aria-label={words.renameNamed(name)}
        onClick={() => setRenaming(true)}
      >
        {words.rename}
      </Button>
      <ConfirmedButton
        label={words.remove}
        name={words.removeNamed(name)}
        title={words.removeTitle(name)}
        text={words.removeText}
        act={words.remove}
        run={remove}
        done={words.removed(name)}
        button={{ size: 'xs' }}
      />
      {renaming && <Rename app={identifier} browser={browser} onClose={() => setRenaming(false)} />}
    </Group>
  );
}

const MAX_NAME = 255;

function Rename(props: { app: string; browser: TestBrowser; onClose: () => void }): ReactNode {
  const { app, browser, onClose } = props;
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: browser.name },
    validate: { name: (name) => (name.trim() === '' ? words.nameMissing : null) },
  });
  const save = async ({ name }: { readonly name: string }): Promise<void> => {
    await renameBrowser(api, app, browser.id, name.trim());
    toastDone(words.renamed);
    await queries.invalidateQueries({ queryKey: testBrowsersKey(app) });
  };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.renameNamed(browser.name)}
      form={form}
      act={words.rename}
      run={save}
    >
      <TextInput
        label={words.newName}
        required
        maxLength={MAX_NAME}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  );
}
