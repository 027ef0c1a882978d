import { Alert, Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Snippet } from '../ui/copy.tsx';
import { looksLikeToken } from './token.ts';

const words = t.reports;

/** Explains the report's token, and takes it. */
export function TokenForm({
  isRefused,
  onToken,
}: {
  isRefused: boolean;
  onToken: (token: string) => void;
}): ReactNode {
  const form = useForm({
    initialValues: { token: '' },
    validate: { token: (token: string) => (looksLikeToken(token.trim()) ? null : words.tokenWrong) },
  });
  return (
    <Paper withBorder p="xl">
      <form noValidate onSubmit={form.onSubmit(({ token }) => onToken(token.trim()))}>
        <Stack maw={640}>
          {isRefused && (
            <Alert color="red" role="alert">
              {words.tokenRefused}
            </Alert>
          )}
          <Title order={2} size="h4">
            {words.tokenTitle}
          </Title>
          <Text>{words.tokenAbout}</Text>
          <Snippet text={words.tokenCommand} label={words.tokenTitle} />
          <PasswordInput
            label={words.token}
            description={words.tokenPaste}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t.reports.tokenShow }}
            {...form.getInputProps('token')}
          />
          <Group>
            <Button type="submit">{words.tokenUse}</Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
