import { Anchor, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { dataOf } from '../../data/http/api.ts';
import { useApi } from '../../data/http/services.tsx';
import { CodeInput } from '../../parts/code-input.tsx';
import { PasswordDialog } from '../../parts/password-dialog.tsx';
import { t } from '../../texts/t.ts';
import { Snippet } from '../../ui/copy.tsx';
import { FormModal } from '../../ui/form-modal.tsx';

const words = t.secondFactor;

interface Props {
  readonly onMade: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

interface Factor {
  readonly secret: string;
  readonly uri: string;
}

/** The password, then the key for the app, then its first code. */
export function SetUp({ onMade, onClose }: Props): ReactNode {
  const api = useApi();
  const [factor, setFactor] = useState<Factor | null>(null);
  if (factor !== null) return <Confirm factor={factor} onMade={onMade} onClose={onClose} />;
  return (
    <PasswordDialog
      title={words.setUp}
      text={words.setUpText}
      act={words.next}
      onClose={onClose}
      run={async (body) => setFactor(await dataOf(api.POST('/api/v1/account/me/second-factor', { body })))}
    />
  );
}

function Confirm({ factor: { secret, uri }, onMade, onClose }: Props & { factor: Factor }): ReactNode {
  const api = useApi();
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? words.codeMissing : null) },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.setUp}
      form={form}
      act={words.confirm}
      onDone={() => {}}
      run={async (body) => {
        const answer = await dataOf(api.POST('/api/v1/account/me/second-factor/confirm', { body }));
        onMade(answer.recovery_codes);
      }}
    >
      <Text size="sm">{words.keyText}</Text>
      <Snippet text={secret} label={words.key} />
      <Anchor href={uri} size="sm">
        {words.openApp}
      </Anchor>
      <CodeInput {...form.getInputProps('code')} />
    </FormModal>
  );
}
