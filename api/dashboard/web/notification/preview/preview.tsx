import { Group, Stack, Tabs, Text, useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { App } from '../../data/apps/queries.ts';
import { t } from '../../texts/t.ts';
import { ChoiceBar } from '../../ui/choice-bar.tsx';
import { aboutOf } from './about.ts';
import { type BrowserLook, browsers, lookOf } from './browsers.ts';
import { type PreviewContent, shownIn } from './content.ts';
import { frames } from './frames.tsx';
import classes from './preview.module.css';

const words = t.preview;

export interface NotificationPreviewProps {
  readonly app: Pick<App, 'site_domain' | 'icon_url' | 'badge_url'>;
  readonly content: PreviewContent;
}

/** The notification as browsers draw it: parts that a browser leaves out are left out here too. */
export function NotificationPreview({ app, content }: NotificationPreviewProps): ReactNode {
  const own = useComputedColorScheme('light');
  const [chosen, setChosen] = useState<'light' | 'dark' | null>(null);
  const [browser, setBrowser] = useState<string>(browsers[0].id);
  const [isOpen, setOpen] = useState(true);
  const scheme = chosen ?? own;
  const look = lookOf(browser);
  return (
    <Tabs
      value={browser}
      onChange={(value) => setBrowser(value ?? browser)}
      variant="pills"
      keepMounted={false}
      classNames={{ tab: classes.tab }}
    >
      <Stack gap="sm">
        <Tabs.List aria-label={words.in}>
          {browsers.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {browsers.map((each) => (
          <Tabs.Panel key={each.id} value={each.id}>
            <Drawing look={each} app={app} content={content} isOpen={isOpen} scheme={scheme} />
          </Tabs.Panel>
        ))}
        <Group justify="space-between">
          {look.folded === null ? (
            <span />
          ) : (
            <ChoiceBar
              small
              aria-label={words.state}
              value={isOpen ? 'open' : 'folded'}
              onChange={(value) => setOpen(value === 'open')}
              data={(['folded', 'open'] as const).map((value) => ({ value, label: words.states[value] }))}
            />
          )}
          <ChoiceBar
            small
            aria-label={words.scheme}
            value={scheme}
            onChange={(value) => setChosen(value === 'dark' ? 'dark' : 'light')}
            data={(['light', 'dark'] as const).map((value) => ({ value, label: words.schemes[value] }))}
          />
        </Group>
      </Stack>
    </Tabs>
  );
}

interface DrawnProps extends NotificationPreviewProps {
  readonly look: BrowserLook;
  readonly isOpen: boolean;
  readonly scheme: 'light' | 'dark';
}

function Drawing({ look, app, content, isOpen, scheme }: DrawnProps): ReactNode {
  const Frame = frames[look.frame];
  const given = {
    ...content,
    icon: content.icon ?? app.icon_url,
    badge: content.badge ?? app.badge_url,
    title: content.title.trim() || words.title,
    body: content.body.trim() || words.body,
    buttons: content.buttons.filter((title) => title.trim() !== ''),
  };
  return (
    <figure className={classes.figure}>
      <div className={classes.screen} data-scheme={scheme}>
        <VisuallyHidden>{words.of(look.name)}</VisuallyHidden>
        <Frame
          look={look}
          shown={shownIn(look, given, isOpen)}
          host={URL.parse(app.site_domain)?.host ?? app.site_domain}
          isOpen={isOpen}
        />
      </div>
      <Text component="figcaption" size="xs" c="dimmed" mt="xs">
        {aboutOf(look)}
      </Text>
    </figure>
  );
}
