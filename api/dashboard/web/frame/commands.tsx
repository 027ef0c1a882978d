import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { t } from '../texts/t.ts';
import { IconSearch } from '../ui/icons.ts';
import classes from './commands.module.css';
import { isMac } from './is-mac.ts';
import { useLastApp } from './last-app.ts';
import { lazyPart } from './lazy-part.tsx';
import { createShortcutReader, type Deed, singleKeys } from './shortcuts.ts';

// Fetched when it is first opened: no first page waits for it.
const CommandMenu = lazyPart(async () => ({ default: (await import('./command-menu.tsx')).CommandMenu }));
const ShortcutSheet = lazyPart(async () => ({
  default: (await import('./shortcut-sheet.tsx')).ShortcutSheet,
}));

type Shown = 'menu' | 'sheet' | null;

const pages: Readonly<Partial<Record<Deed, string>>> = {
  compose: '/apps/$app/compose',
  overview: '/apps/$app',
  deliveries: '/apps/$app/deliveries',
  subscribers: '/apps/$app/subscribers',
  segments: '/apps/$app/segments',
  analytics: '/apps/$app/analytics',
};

/** The way to any page or act: a button, and the keys of the table in `shortcuts.ts`. */
export function Commands(): ReactNode {
  const [shown, setShown] = useState<Shown>(null);
  const { app: named } = useParams({ strict: false });
  const app = useLastApp(named);
  const navigate = useNavigate();
  useEffect(() => {
    const read = createShortcutReader(singleKeys.read);
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const does = read({ key, ctrlKey, metaKey, altKey, isTaken: isTaken(event), atMs: event.timeStamp });
      const to = does === null ? undefined : pages[does];
      if (does === 'menu' || does === 'sheet') setShown(does);
      else if (to === undefined || app === null) return;
      else void navigate({ to, params: { app } } as never);
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [app, navigate]);
  const close = (): void => setShown(null);
  return (
    <>
      <Opener onOpen={() => setShown('menu')} />
      <Suspense>
        {shown === 'menu' && <CommandMenu app={app} onClose={close} onSheet={() => setShown('sheet')} />}
        {shown === 'sheet' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}

const Opener = ({ onOpen }: { onOpen: () => void }): ReactNode => (
  <>
    <Button
      visibleFrom="sm"
      variant="default"
      size="sm"
      className={classes.opener}
      aria-keyshortcuts="Control+K Meta+K"
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      rightSection={<Kbd aria-hidden>{isMac() ? '⌘K' : 'Ctrl+K'}</Kbd>}
      onClick={onOpen}
    >
      {t.commands.open}
    </Button>
    <ActionIcon hiddenFrom="sm" size="lg" aria-label={t.commands.open} onClick={onOpen}>
      <IconSearch size={20} stroke={1.7} aria-hidden />
    </ActionIcon>
  </>
);

/** Not while somebody types, nor in a menu or a dialog, whose keys mean something else. */
function isTaken({ target, defaultPrevented }: KeyboardEvent): boolean {
  const own = 'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]';
  return defaultPrevented || (target instanceof Element && target.closest(own) !== null);
}
