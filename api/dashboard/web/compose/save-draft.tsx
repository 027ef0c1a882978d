import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { createDraft, type DraftKind, draftsKey } from '../data/drafts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatClock } from '../format/format.ts';
import { type ComposeValues, nameOf, storedOf } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import { toastDone, toastProblem } from '../ui/toast.ts';
import classes from './compose-form.module.css';
import { dropDraft } from './draft.ts';
import type { Saving } from './use-autosave.ts';

const words = t.drafts;

/** Keeps what is written for the team, and leads to it where it is a draft. */
function useKeep(values: ComposeValues) {
  const { identifier: app } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (kind: DraftKind) =>
      createDraft(api, app, kind, nameOf(values) || words.unnamed, storedOf(values)),
    onSuccess: async ({ id, kind, name }) => {
      void queries.invalidateQueries({ queryKey: draftsKey(app) });
      toastDone(words.kept[kind](name));
      if (kind === 'template') return;
      dropDraft(app);
      await navigate({ to: '/apps/$app/compose', params: { app }, search: { draft: id } });
    },
    onError: toastProblem,
  });
}

interface Props {
  readonly values: ComposeValues;
  /** Null: it is not a draft of the team's yet. */
  readonly saving: Saving | null;
}

export function SaveDraft({ values, saving }: Props): ReactNode {
  const keep = useKeep(values);
  return (
    <>
      <Group gap="xs" wrap="nowrap" className={classes.keep}>
        {saving === null && (
          <Button variant="default" size="xs" loading={keep.isPending} onClick={() => keep.mutate('draft')}>
            {words.saveDraft}
          </Button>
        )}
        <Button variant="default" size="xs" disabled={keep.isPending} onClick={() => keep.mutate('template')}>
          {words.saveTemplate}
        </Button>
      </Group>
      {saving !== null && (
        <Text size="xs" c="dimmed" ta="center" mt={4} role="status">
          {wordsOf(saving)}
        </Text>
      )}
    </>
  );
}

function wordsOf(saving: Saving): string {
  if (saving.kind === 'saved')
    return saving.at === null ? words.savedAlways : words.saved(formatClock(saving.at));
  return words[saving.kind === 'conflict' ? 'notSaved' : saving.kind];
}

interface ConflictProps {
  readonly by: string;
  readonly values: ComposeValues;
  readonly onReload: () => void;
}

/** Two wrote at once: one takes the other's, or keeps your own beside it. */
export function DraftConflict({ by, values, onReload }: ConflictProps): ReactNode {
  const keep = useKeep(values);
  return (
    <Alert color="yellow" role="alert" title={words.conflict(by)} mb="lg">
      <Text size="sm">{words.conflictAbout}</Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={onReload}>
          {words.takeTheirs}
        </Button>
        <Button size="xs" variant="default" loading={keep.isPending} onClick={() => keep.mutate('draft')}>
          {words.keepMine}
        </Button>
      </Group>
    </Alert>
  );
}
