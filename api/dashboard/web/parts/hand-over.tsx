import { Autocomplete, Button, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { assignDraft, type Draft, draftQuery, draftsKey, draftsQuery } from '../data/drafts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { toastDone } from '../ui/toast.ts';

const words = t.drafts;
const MAX_COMMENT = 500;
/** Of whose writers one chooses. */
const RECENT = 100;

type Handed = Pick<Draft, 'id' | 'name' | 'assignee' | 'comment'>;

interface Props {
  readonly draft: Handed;
}

/** Asks a colleague to write on a draft, with what they are to do. */
export function HandOver({ draft }: Props): ReactNode {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={words.handOverNamed(draft.name)}
        onClick={() => setOpened(true)}
      >
        {words.handOver}
      </Button>
      {opened && <HandOverDialog draft={draft} onClose={() => setOpened(false)} />}
    </>
  );
}

function HandOverDialog({ draft, onClose }: Props & { readonly onClose: () => void }): ReactNode {
  const { identifier: app } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  const people = useQuery(draftsQuery(api, app, 'draft', 1, RECENT)).data?.data ?? [];
  const form = useForm({ initialValues: { email: draft.assignee?.email ?? '', comment: draft.comment } });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.handOverNamed(draft.name)}
      form={form}
      act={words.handOver}
      run={async ({ email, comment }) => {
        const to = email.trim() === '' ? null : email.trim();
        const { assignee, assigned_by_name } = await assignDraft(api, app, draft.id, to, comment);
        // Where it is open, without what somebody is writing in it.
        queries.setQueryData(
          draftQuery(api, app, String(draft.id)).queryKey,
          (old) => old && { ...old, assignee, assigned_by_name, comment },
        );
        toastDone(assignee === null ? words.handedToNobody : words.handedTo(assignee.name));
        await queries.invalidateQueries({ queryKey: draftsKey(app) });
      }}
    >
      <Autocomplete
        label={words.to}
        description={words.toHint}
        data={[
          ...new Set(people.flatMap(({ changed_by, assignee }) => [changed_by, assignee?.email ?? ''])),
        ].filter((each) => each !== '')}
        maxLength={255}
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Textarea
        label={words.comment}
        autosize
        minRows={2}
        maxLength={MAX_COMMENT}
        {...form.getInputProps('comment')}
      />
    </FormModal>
  );
}

/** Who made a draft, who changed it, and whom it waits for. */
export const DraftPeople = ({
  draft: {
    author_name: author,
    changed_by,
    changed_by_name: changer,
    assignee,
    assigned_by_name: by,
    comment,
  },
}: {
  draft: Pick<
    Draft,
    'author_name' | 'changed_by' | 'changed_by_name' | 'assignee' | 'assigned_by_name' | 'comment'
  >;
}): ReactNode => (
  <>
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      {author === null || author === changer
        ? words.madeBy(changer ?? changed_by)
        : words.madeAndChangedBy(author, changer ?? changed_by)}
    </Text>
    {assignee !== null && (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {words.waitsFor(assignee.name)}
        {comment !== '' && ` ${by === null ? '' : `${by}: `}“${comment}”`}
      </Text>
    )}
  </>
);
