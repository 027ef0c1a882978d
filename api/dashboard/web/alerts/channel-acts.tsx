import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Channel, channelsKey, historyKey } from '../data/alerts/queries.ts';
import { bodyOf, dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';
import { ChangeChannel } from './change-channel.tsx';
import type { Tested } from './test-result.tsx';
import { useChange } from './use-change.ts';
import { nameOf } from './words.ts';

export interface ActsProps {
  readonly channel: Channel;
  readonly onTested: (tested: Tested) => void;
}

/** What can be done with a channel. */
export function ChannelActs({ channel, onTested }: ActsProps): ReactNode {
  const [changing, setChanging] = useState(false);
  return (
    <Group gap="xs" justify="flex-end">
      <Test channel={channel} onTested={onTested} />
      <Button
        size="xs"
        variant="default"
        aria-label={t.alerts.changeName(nameOf(channel))}
        onClick={() => setChanging(true)}
      >
        {t.actions.edit}
      </Button>
      <Switch channel={channel} />
      <Delete channel={channel} />
      {changing && <ChangeChannel channel={channel} onClose={() => setChanging(false)} />}
    </Group>
  );
}

/** Of a disabled channel too: whether it works is known before it is enabled again. */
function Test({ channel, onTested }: ActsProps): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => {
      const params = { path: { channel_id: String(channel.id) } };
      return dataOf(api.POST('/api/v1/account/alert-channels/{channel_id}/test', { params }));
    },
    onSuccess: async ({ id }) => {
      onTested({ alert: id, channel: channel.id, name: nameOf(channel) });
      await queries.invalidateQueries({ queryKey: historyKey });
    },
    onError: toastProblem,
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={test.isPending}
      aria-label={t.alerts.testName(nameOf(channel))}
      onClick={() => test.mutate()}
    >
      {t.alerts.test}
    </Button>
  );
}

function Switch({ channel }: { channel: Channel }): ReactNode {
  const change = useChange(channel);
  const name = nameOf(channel);
  const turn = useMutation({
    mutationFn: (enabled: boolean) => change({ enabled }),
    onSuccess: (_, enabled) => toastDone((enabled ? t.alerts.nowEnabled : t.alerts.nowDisabled)(name)),
    onError: toastProblem,
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={turn.isPending}
      aria-label={(channel.enabled ? t.alerts.disableName : t.alerts.enableName)(name)}
      onClick={() => turn.mutate(!channel.enabled)}
    >
      {channel.enabled ? t.alerts.disable : t.alerts.enable}
    </Button>
  );
}

function Delete({ channel }: { channel: Channel }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const name = nameOf(channel);
  const run = async (): Promise<void> => {
    const params = { path: { channel_id: String(channel.id) } };
    await bodyOf(api.DELETE('/api/v1/account/alert-channels/{channel_id}', { params }));
    await queries.invalidateQueries({ queryKey: channelsKey });
    await queries.invalidateQueries({ queryKey: historyKey });
  };
  return (
    <ConfirmedButton
      label={t.actions.delete}
      name={t.alerts.deleteName(name)}
      title={t.alerts.question(name)}
      text={t.alerts.consequence}
      act={t.alerts.deleteAct}
      run={run}
      done={t.alerts.deleted(name)}
      button={{ size: 'xs' }}
    />
  );
}
