import { ActionIcon, Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dataOf } from '../data/http/api.ts';
import { Problem } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { type Subscriber, subscriberQuery, subscribersKey } from '../data/subscribers/queries.ts';
import { t } from '../texts/t.ts';
import { IconX } from '../ui/icons.ts';
import { Section } from '../ui/section.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';

const words = t.subscriber;
const path = '/api/v1/client/apps/{identifier}/subscriptions/{subscription_id}/tags';

interface Props {
  readonly app: string;
  readonly subscriber: Subscriber;
}

/** A subscriber's tags, each with a button that removes it, and a form for one more. */
export function TagsEditor(props: Props): ReactNode {
  const remove = useRemoveTag(props);
  const tags = Object.entries(props.subscriber.tags).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return (
    <Section title={words.tags} description={words.tagsAbout}>
      {tags.length === 0 ? (
        <Text size="sm">{words.noTags}</Text>
      ) : (
        <Group gap="xs" component="ul" m={0} p={0}>
          {tags.map(([key, value]) => (
            <Badge
              key={key}
              component="li"
              size="lg"
              color="gray"
              rightSection={
                <ActionIcon
                  size="xs"
                  aria-label={words.tagRemove(key)}
                  onClick={() => remove.mutate(key)}
                  disabled={remove.isPending}
                >
                  <IconX size={12} aria-hidden />
                </ActionIcon>
              }
            >
              {key}: {value}
            </Badge>
          ))}
        </Group>
      )}
      <AddTag {...props} />
    </Section>
  );
}

function AddTag(props: Props): ReactNode {
  const form = useForm({
    initialValues: { key: '', value: '' },
    validate: { key: (key: string) => (key.trim() === '' ? words.tagKeyMissing : null) },
  });
  const add = useAddTag(props, () => form.reset());
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ key, value }) =>
        add.mutate(
          { key: key.trim(), value: value.trim() },
          {
            onError: (error) => {
              const said = error instanceof Problem ? Object.values(error.fields)[0] : undefined;
              if (said === undefined) toastProblem(error);
              else form.setFieldError('key', said);
            },
          },
        ),
      )}
    >
      <Group align="flex-start" gap="sm">
        <TextInput
          label={words.tagKey}
          maxLength={255}
          flex="1 1 9rem"
          maw="16rem"
          {...form.getInputProps('key')}
        />
        <TextInput
          label={words.tagValue}
          maxLength={255}
          flex="1 1 9rem"
          maw="16rem"
          {...form.getInputProps('value')}
        />
        <Button type="submit" variant="default" loading={add.isPending} mt={{ base: 0, xs: '1.55rem' }}>
          {words.tagAdd}
        </Button>
      </Group>
    </form>
  );
}

/** Puts the answer, which is the subscriber as it is now, where the page reads it. */
function useKeep({ app }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  return async (changed: Subscriber): Promise<void> => {
    queries.setQueryData(subscriberQuery(api, app, String(changed.id)).queryKey, changed);
    await queries.invalidateQueries({ queryKey: [...subscribersKey(app), 'list'] });
  };
}

function useAddTag(props: Props, onAdded: () => void) {
  const api = useApi();
  const keep = useKeep(props);
  return useMutation({
    mutationFn: ({ key, value }: { key: string; value: string }) =>
      dataOf(
        api.POST(path, {
          params: { path: { identifier: props.app, subscription_id: String(props.subscriber.id) } },
          body: { tags: { [key]: value } },
        }),
      ),
    onSuccess: async (changed, { key }) => {
      onAdded();
      toastDone(words.tagAdded(key));
      await keep(changed);
    },
  });
}

function useRemoveTag(props: Props) {
  const api = useApi();
  const keep = useKeep(props);
  return useMutation({
    mutationFn: (key: string) =>
      dataOf(
        api.DELETE(`${path}/{key}`, {
          params: { path: { identifier: props.app, subscription_id: String(props.subscriber.id), key } },
        }),
      ),
    onSuccess: async (changed, key) => {
      toastDone(words.tagRemoved(key));
      await keep(changed);
    },
    onError: toastProblem,
  });
}
