import { NavLink, UnstyledButton } from '@mantine/core';
import { Link, useMatchRoute, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useReach } from '../data/account/for-role.tsx';
import { IconChevronDown } from '../ui/icons.ts';
import { useLastApp } from './last-app.ts';
import classes from './nav-bar.module.css';
import { foldedAt, keepChosen, readChosen } from './nav-folds.ts';
import {
  appGroups,
  type NavEntry,
  type NavGroup,
  organizationGroup,
  results,
  resultsOfApp,
  setUpGroup,
} from './navigation.ts';
import { useWindowHeight } from './window-height.ts';

const groupsFor = (app: string | null): readonly NavGroup[] =>
  app === null ? [results, organizationGroup] : [...appGroups, resultsOfApp, setUpGroup, organizationGroup];

/** The navigation: the day of an editor in the current app, its set-up, and the organization. */
export function NavBar({ folds }: { readonly folds: boolean }): ReactNode {
  const { app: named } = useParams({ strict: false });
  const app = useLastApp(named);
  const params = app === null ? {} : { app };
  const groups = useGroups(app);
  const height = useWindowHeight();
  const [chosen, setChosen] = useState(readChosen);
  const byItself = foldedAt(folds ? height : Number.POSITIVE_INFINITY, groups);
  const choose = (key: string, state: 'open' | 'folded'): void => {
    const next = { ...chosen, [key]: state };
    setChosen(next);
    keepChosen(next);
  };
  return (
    <>
      {groups.map(({ key, label, entries, current }) => {
        const choice = chosen[key] ?? (byItself.has(key) ? 'folded' : 'open');
        // A group that was folded opens for its own page: otherwise nothing says where one is.
        const isOpen = current || choice === 'open';
        return (
          <Group
            key={key}
            label={label}
            entries={entries}
            params={params}
            isOpen={isOpen}
            onToggle={current ? undefined : () => choose(key, isOpen ? 'folded' : 'open')}
          />
        );
      })}
    </>
  );
}

/** What this user may see, without groups that would be empty. */
function useGroups(app: string | null) {
  const reaches = useReach();
  const matches = useMatchRoute();
  return groupsFor(app)
    .map(({ key, label, entries }) => {
      const visible = entries.filter(({ role, appRole }) => reaches(role, appRole));
      const current = visible.some(({ to, exact = false }) =>
        Boolean(matches({ to: to as string, fuzzy: !exact })),
      );
      return { key, label, entries: visible, rows: visible.length, current };
    })
    .filter(({ rows }) => rows > 0);
}

interface GroupProps {
  readonly label: string;
  readonly entries: readonly NavEntry[];
  readonly params: Readonly<Record<string, string>>;
  readonly isOpen: boolean;
  /** None: it holds the page that is open. */
  readonly onToggle: (() => void) | undefined;
}

/**
 * The Tab key passes over the name of an open group: through the navigation it takes as many steps as there are pages.
 * From a page of the group, the left arrow folds it; it stops at the name of a folded group, which opens as a button.
 */
function Group({ label, entries, params, isOpen, onToggle }: GroupProps): ReactNode {
  const list = useId();
  const name = useRef<HTMLButtonElement>(null);
  const foldWith = ({ key }: KeyboardEvent): void => {
    if (key !== 'ArrowLeft' || !isOpen || onToggle === undefined) return;
    onToggle();
    name.current?.focus();
  };
  return (
    <div>
      <UnstyledButton
        ref={name}
        tabIndex={isOpen ? -1 : 0}
        className={classes.label}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-disabled={onToggle === undefined}
        onClick={onToggle}
      >
        {label}
        <IconChevronDown className={classes.mark} size={14} aria-hidden />
      </UnstyledButton>
      <ul className={classes.list} id={list} aria-label={label} hidden={!isOpen}>
        {isOpen &&
          entries.map((entry) => <Entry key={entry.label} {...entry} params={params} onKeyDown={foldWith} />)}
      </ul>
    </div>
  );
}

const Entry = ({ label, to, icon: Glyph, exact = false, params, onKeyDown }: Item): ReactNode => (
  <li>
    <NavLink
      label={label}
      leftSection={<Glyph size={18} stroke={1.7} aria-hidden />}
      className={classes.link}
      onKeyDown={onKeyDown}
      renderRoot={(props) => (
        <Link
          to={to as string}
          params={params as never}
          activeOptions={{ exact }}
          activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          {...props}
        />
      )}
    />
  </li>
);

interface Item extends NavEntry {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly params: Readonly<Record<string, string>>;
}
