import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { t } from '../texts/t.ts';

/**
 * A dialog that returns the focus to its opener, also when it is removed while open. Nothing behind it can be reached: a
 * button that is pressed and disabled loses the focus, and from there Tab would go on behind the dialog.
 */
export function Dialog(props: ModalProps): ReactNode {
  useOwnFocus(props.opened);
  const isMade = useIsMade(props.opened);
  // A page has several that nobody opens.
  if (!isMade && !props.opened) return null;
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t.actions.close }}
      {...props}
      opened={isMade && props.opened}
      returnFocus={false}
    />
  );
}

/** From the first time that it is opened, made closed just before: it comes in like later. */
function useIsMade(opened: boolean): boolean {
  const [isMade, setMade] = useState(false);
  useLayoutEffect(() => {
    if (opened) setMade(true);
  }, [opened]);
  return isMade;
}

/** Dialogs that are open, one over the other. */
let open = 0;

function useOwnFocus(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    hideBehind(1);
    return () => {
      hideBehind(-1);
      const there = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (there ? before : document.getElementById('content'))?.focus({ preventScroll: true });
    };
  }, [opened]);
}

/** Dialogs, menus and toasts have places of their own beside the page. */
function hideBehind(change: 1 | -1): void {
  open += change;
  document.getElementById('root')?.toggleAttribute('inert', open > 0);
}
