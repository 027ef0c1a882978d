import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../data/account/use-me.ts';
import { bodyOf } from '../data/http/api.ts';
import { useServices } from '../data/http/services.tsx';
import { chooseLanguage, type Language, language, languages } from '../texts/language.ts';
import { t } from '../texts/t.ts';
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCircle } from '../ui/icons.ts';
import { toastProblem } from '../ui/toast.ts';

const schemes = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const;

/** The logged-in user, the colours, and the log-out. */
export function UserMenu(): ReactNode {
  const { user, organization } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logOut = useLogOut();
  return (
    <Menu position="bottom-end" width={250} withinPortal={false}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={t.nav.user}>
          <IconUserCircle stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item renderRoot={(props) => <Link to="/settings/account" {...props} />}>
          <Text size="sm" fw={600} truncate>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {organization.name}
          </Text>
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t.scheme.label}</Menu.Label>
        {schemes.map(({ scheme, icon: Glyph }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Glyph size={16} aria-hidden />}
            rightSection={scheme === colorScheme ? <IconCheck size={16} aria-hidden /> : null}
            aria-current={scheme === colorScheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t.scheme[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t.nav.language}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((each) => (
          <Menu.Item
            key={each}
            lang={each}
            rightSection={each === language ? <IconCheck size={16} aria-hidden /> : null}
            aria-current={each === language}
            onClick={() => chooseLanguage(each)}
          >
            {languages[each]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => logOut.mutate()}>
          {t.actions.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface Ended {
  readonly data: { readonly log_out_url: string };
}

function useLogOut() {
  const { api, queries } = useServices();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => bodyOf<Ended | undefined>(api.POST('/api/v1/account/log-out')),
    onSuccess: async (ended) => {
      queries.clear();
      // The provider that let the user in ends its own session, too.
      if (ended?.data !== undefined) return window.location.assign(ended.data.log_out_url);
      await navigate({ to: '/log-in' });
    },
    onError: toastProblem,
  });
}
