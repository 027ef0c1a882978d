import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { IconCloudOff } from '../ui/icons.ts';
import classes from './offline-note.module.css';

/** Stays at the top of every page while the browser is offline. */
export function OfflineNote(): ReactNode {
  const { online } = useNetwork();
  return (
    <div role="status" className={classes.place}>
      {!online && (
        <Alert
          color="yellow"
          variant="filled"
          autoContrast
          title={t.problems.offlineTitle}
          icon={<IconCloudOff aria-hidden />}
          mb="lg"
        >
          {t.problems.offlineAbout}
        </Alert>
      )}
    </div>
  );
}
