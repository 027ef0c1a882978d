import { Alert, Button, Group, TextInput, UnstyledButton } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Problem } from '../data/http/problem.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import { IconDeviceFloppy } from '../ui/icons.ts';
import { toastDone, toastProblem } from '../ui/toast.ts';
import type { ReportDraft } from './report.ts';
import type { SavedReport } from './saved-report.ts';
import classes from './saved-tabs.module.css';
import { isSavedAs, savedDraftOf, savingOf } from './saved-view.ts';
import type { useSaved } from './use-saved.ts';

const words = t.reports.saved;
const MOST_NAME = 100;

export interface SavedTabsProps extends ReturnType<typeof useSaved> {
  /** The one that the address names. */
  readonly id: number | undefined;
  /** What is shown now; null: nothing. */
  readonly shown: ReportDraft | null;
  readonly onOpen: (saved: SavedReport | null, draft: ReportDraft | null) => void;
}

/** The reports that the organization keeps, as tabs: press one, and it is made. */
export function SavedTabs(props: SavedTabsProps): ReactNode {
  const { saved, id, shown, remove, onOpen } = props;
  const [isNaming, setNaming] = useState(false);
  if (saved.data === undefined) return null;
  const open = saved.data.find((each) => each.id === id) ?? null;
  const isChanged = open !== null && shown !== null && !isSavedAs(open, shown);
  return (
    <>
      <nav aria-label={words.title} className={classes.tabs}>
        {saved.data.map((each) => (
          <Tab
            key={each.id}
            isOpen={each.id === id}
            isChanged={isChanged}
            onPress={() => onOpen(each, savedDraftOf(each))}
          >
            {each.name}
          </Tab>
        ))}
        <Tab isOpen={open === null} isChanged={false} onPress={() => onOpen(null, null)}>
          {words.unsaved}
        </Tab>
      </nav>
      {id !== undefined && open === null && (
        <Alert color="yellow" role="status">
          {words.missing}
        </Alert>
      )}
      {shown !== null && (
        <Group gap="xs">
          {isChanged && open.may_change && <SaveChanges {...props} open={open} shown={shown} />}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDeviceFloppy size={14} aria-hidden />}
            onClick={() => setNaming(true)}
          >
            {words.saveAs}
          </Button>
          {open?.may_change === true && (
            <ConfirmedButton
              label={words.delete}
              name={words.deleteName(open.name)}
              title={words.question(open.name)}
              text={words.consequence}
              act={words.delete}
              run={async () => {
                await remove(open);
                onOpen(null, shown);
              }}
              done={words.gone(open.name)}
              button={{ size: 'xs' }}
            />
          )}
        </Group>
      )}
      {isNaming && shown !== null && <NameDialog {...props} shown={shown} onClose={() => setNaming(false)} />}
    </>
  );
}

interface TabProps {
  readonly isOpen: boolean;
  readonly isChanged: boolean;
  readonly onPress: () => void;
  readonly children: string;
}

/** Its name may be too long to be shown, and the open one among too many to be seen. */
function Tab({ isOpen, isChanged, onPress, children }: TabProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isOpen]);
  return (
    <UnstyledButton
      ref={button}
      className={classes.tab}
      title={children}
      aria-current={isOpen ? 'true' : undefined}
      onClick={onPress}
    >
      {children}
      {isOpen && isChanged && <span className={classes.changed}>{words.changed}</span>}
    </UnstyledButton>
  );
}

function SaveChanges({
  save,
  open,
  shown,
}: SavedTabsProps & { readonly open: SavedReport; readonly shown: ReportDraft }): ReactNode {
  return (
    <Button
      size="xs"
      loading={save.isPending}
      onClick={() =>
        save.mutate(
          { id: open.id, name: open.name, ...savingOf(shown) },
          { onSuccess: () => toastDone(words.done(open.name)), onError: toastProblem },
        )
      }
    >
      {words.saveChanges}
    </Button>
  );
}

function NameDialog({
  saved,
  save,
  shown,
  onOpen,
  onClose,
}: SavedTabsProps & { readonly shown: ReportDraft; readonly onClose: () => void }): ReactNode {
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name: string) => (name.trim() === '' ? words.nameMissing : null) },
  });
  const has = (name: string): boolean =>
    saved.data?.some((each) => each.name.toLowerCase() === name.trim().toLowerCase()) ?? false;
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.saveAs}
      form={form}
      act={words.save}
      run={async ({ name }) => {
        const made = await save
          .mutateAsync({ name: name.trim(), ...savingOf(shown) })
          .catch((error: unknown) => {
            throw clearer(error, has(name));
          });
        toastDone(words.done(made.name));
        onOpen(made, shown);
      }}
    >
      <TextInput
        label={words.name}
        description={words.about}
        maxLength={MOST_NAME}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  );
}

/** What to do about a refusal, in the reader's language. */
function clearer(error: unknown, isTaken: boolean): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.status === 409) {
    return isTaken ? new Problem(422, words.taken, { name: words.taken }) : new Problem(409, words.full);
  }
  return error.status === 403 ? new Problem(403, words.forbidden) : error;
}
