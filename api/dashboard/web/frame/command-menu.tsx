import { Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { t } from '../texts/t.ts';
import { Dialog } from '../ui/dialog.tsx';
import classes from './command-menu.module.css';
import { type Command, useFound } from './use-found.ts';

interface CommandMenuProps {
  readonly app: string | null;
  readonly onClose: () => void;
  /** Opens the sheet of shortcuts in its place. */
  readonly onSheet: () => void;
}

/** Goes to any page, delivery, subscriber or segment by a part of its name, and does what is often done. */
export function CommandMenu({ app, onClose, onSheet }: CommandMenuProps): ReactNode {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { commands, isSearching } = useFound(app, text);
  const chosen = Math.min(at, commands.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    if (command.kind === 'sheet') {
      onSheet();
      return;
    }
    onClose();
    // Once this dialog has given the focus back: what comes next takes it.
    if (command.kind === 'act') setTimeout(command.run);
    else void navigate({ to: command.to, params: command.params, search: command.search } as never);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[chosen]);
    }
  };
  return (
    <Dialog opened onClose={onClose} title={t.commands.title} size="lg">
      <TextInput
        aria-label={t.commands.title}
        placeholder={t.commands.placeholder}
        data-autofocus
        autoComplete="off"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${chosen}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options id={id} commands={commands} chosen={chosen} onRun={run} />
      <Text size="sm" c="dimmed" role="status" mt="xs">
        {isSearching ? t.commands.searching : commands.length === 0 ? t.commands.none : t.commands.hint}
      </Text>
    </Dialog>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly commands: readonly Command[];
  readonly chosen: number;
  readonly onRun: (command: Command) => void;
}

/** By keyboard the field above chooses; a pointer presses the line itself. */
const Options = ({ id, commands, chosen, onRun }: OptionsProps): ReactNode => (
  <div id={id} role="listbox" aria-label={t.commands.title} className={classes.list}>
    {commands.map((command, index) => (
      <div
        key={command.key}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === chosen}
        className={classes.option}
        onClick={() => onRun(command)}
        onKeyDown={({ key }) => key === 'Enter' && onRun(command)}
      >
        <span>{command.label}</span>
        <span className={classes.kind}>{command.of}</span>
      </div>
    ))}
  </div>
);
