import { Alert, Button, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useMe } from '../data/account/use-me.ts';
import { isLeftToOthers } from '../data/approvals/left-to-others.ts';
import { type Decision, decide, type Subject } from '../data/approvals/queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { campaignsKey } from '../data/campaigns/queries.ts';
import { deliveriesKey } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { GrowingTextarea } from '../ui/growing-textarea.tsx';
import { IconCheck, IconHourglass } from '../ui/icons.ts';
import { toastDone, toastProblem } from '../ui/toast.ts';

const words = t.approvals;
const MAX_NOTE = 1_000;

interface Props {
  readonly subject: Subject;
  /** It has not started, and was not cancelled. */
  readonly waits: boolean;
}

/** What a second person has said of it, or is to say; nothing where nobody is asked. */
export function ApprovalNote({ subject, waits }: Props): ReactNode {
  const { approval } = subject;
  if (approval === null || (approval.state !== 'approved' && !waits)) return null;
  if (approval.state === 'approved')
    return (
      <Text size="sm" c="dimmed">
        <IconCheck size={14} aria-hidden />{' '}
        {words.approvedBy(approval.decided_by ?? '', formatTime(approval.decided_at))}
        {approval.note !== null && ` ${words.saying(approval.note)}`}
        {approval.rules !== null && ` ${words.frozen}`}
      </Text>
    );
  if (approval.state === 'declined')
    return (
      <Alert color="orange" title={words.declined(approval.decided_by ?? '')}>
        {approval.note !== null && <Text fw={600}>{words.saying(approval.note)}</Text>}
        {words.declinedAbout}
      </Alert>
    );
  return <Waiting subject={subject} authors={approval.authors} />;
}

function Waiting({ subject, authors }: { subject: Subject; authors: readonly string[] }): ReactNode {
  const { approval: rule } = useApp();
  const { user } = useMe();
  const isAuthor = isLeftToOthers(rule, authors, user.email);
  const [declining, setDeclining] = useState(false);
  const decision = useDecide(subject);
  return (
    <Alert color="grape" title={words.waits} icon={<IconHourglass aria-hidden />}>
      <Text size="sm">
        {authors.length > 0 && `${words.writtenBy(authors.join(', '))} `}
        {isAuthor ? words.yours : words.nothingSent}
      </Text>
      {!isAuthor && (
        <ForRole least="approver" explains>
          <Group gap="sm" mt="sm">
            <Button
              loading={decision.isPending}
              onClick={() => decision.mutate({ decision: 'approve' }, { onError: toastProblem })}
            >
              {words.approve}
            </Button>
            <Button variant="default" onClick={() => setDeclining(true)}>
              {words.decline} …
            </Button>
          </Group>
        </ForRole>
      )}
      {declining && <DeclineDialog run={decision.mutateAsync} onClose={() => setDeclining(false)} />}
    </Alert>
  );
}

function useDecide(subject: Subject) {
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Omit<Decision, 'version'>) => decide(api, identifier, subject, given),
    onSuccess: (_, given) => toastDone(given.decision === 'approve' ? words.approved : words.sentBack),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: deliveriesKey(identifier) }),
        queries.invalidateQueries({ queryKey: campaignsKey(identifier) }),
      ]),
  });
}

interface DeclineProps {
  readonly run: (given: Omit<Decision, 'version'>) => Promise<unknown>;
  readonly onClose: () => void;
}

function DeclineDialog({ run, onClose }: DeclineProps): ReactNode {
  const form = useForm({ initialValues: { note: '' } });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.declineTitle}
      form={form}
      act={words.decline}
      run={({ note }) => run({ decision: 'decline', ...(note.trim() === '' ? {} : { note: note.trim() }) })}
    >
      <Text size="sm">{words.declineAbout}</Text>
      <GrowingTextarea
        label={words.note}
        data-autofocus
        minRows={2}
        maxLength={MAX_NOTE}
        {...form.getInputProps('note')}
      />
    </FormModal>
  );
}
