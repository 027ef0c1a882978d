import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Me, meKey } from '../../data/account/queries.ts';
import { useMe } from '../../data/account/use-me.ts';
import { bodyOf, dataOf } from '../../data/http/api.ts';
import { useApi } from '../../data/http/services.tsx';
import { PasswordDialog } from '../../parts/password-dialog.tsx';
import { t } from '../../texts/t.ts';
import { Section } from '../../ui/section.tsx';
import { toastDone } from '../../ui/toast.ts';
import { Codes } from '../codes.tsx';
import { SetUp } from './set-up.tsx';

const words = t.secondFactor;
type Open = 'set-up' | 'renew' | 'remove' | null;

/** One's own second factor. */
export default function FactorSection(): ReactNode {
  const { second_factor: state, recovery_codes_left: left, has_authenticator_app: hasApp } = useMe();
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const api = useApi();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: meKey });
  const made = (fresh: readonly string[]): void => {
    setOpen(null);
    setCodes(fresh);
  };
  return (
    <Section title={words.title} description={words.description}>
      {state === 'required' && <Alert color="yellow">{words.required}</Alert>}
      <State state={state} left={left} hasApp={hasApp} onOpen={setOpen} />
      {open === 'set-up' && <SetUp onClose={() => setOpen(null)} onMade={made} />}
      {open === 'renew' && (
        <PasswordDialog
          title={words.renew}
          text={words.renewText}
          act={words.renew}
          onClose={() => setOpen(null)}
          run={async (body) => {
            const answer = await dataOf(
              api.POST('/api/v1/account/me/second-factor/recovery-codes', { body }),
            );
            made(answer.recovery_codes);
          }}
        />
      )}
      {open === 'remove' && (
        <PasswordDialog
          title={words.remove}
          text={words.removeText}
          act={words.remove}
          onClose={() => setOpen(null)}
          run={async (body) => {
            await bodyOf(api.POST('/api/v1/account/me/second-factor/remove', { body }));
            await refresh();
            toastDone(words.removed);
            setOpen(null);
          }}
        />
      )}
      {codes !== null && (
        <Codes
          codes={codes}
          onClose={() => {
            setCodes(null);
            void refresh();
          }}
        />
      )}
    </Section>
  );
}

interface StateProps {
  readonly state: Me['second_factor'];
  readonly left: number;
  /** Beside passkeys, which have a section of their own. */
  readonly hasApp: boolean;
  readonly onOpen: (what: Open) => void;
}

const State = ({ state, left, hasApp, onOpen }: StateProps): ReactNode => (
  <Group>
    {state === 'on' && (
      <>
        <Badge color="green">{words.on}</Badge>
        <Text size="sm">{words.left(left)}</Text>
        <Button variant="default" onClick={() => onOpen('renew')}>
          {words.renew}
        </Button>
      </>
    )}
    {hasApp ? (
      <Button variant="default" onClick={() => onOpen('remove')}>
        {words.remove}
      </Button>
    ) : (
      <Button {...(state === 'on' ? { variant: 'default' } : {})} onClick={() => onOpen('set-up')}>
        {state === 'on' ? words.addApp : words.setUp}
      </Button>
    )}
  </Group>
);
