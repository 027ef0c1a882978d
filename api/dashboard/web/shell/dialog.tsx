import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useLayoutEffect } from 'react';
import { t } from '../texts/t.ts';

/** A dialog that returns the focus to its opener, also when it is removed while open. */
export function Dialog(props: ModalProps): ReactNode {
  useGiveBackFocus(props.opened);
  return <Modal closeButtonProps={{ 'aria-label': t.actions.close }} {...props} returnFocus={false} />;
}

function useGiveBackFocus(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () => {
      const there = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (there ? before : document.getElementById('content'))?.focus({ preventScroll: true });
    };
  }, [opened]);
}
