import { Group, NativeSelect, Stack, Text, useComputedColorScheme, VisuallyHidden } from '@mantine/core';
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

interface Choice {
  readonly browser: string;
  readonly isOpen: boolean;
  /** Null: as this page is. */
  readonly scheme: 'light' | 'dark' | null;
}

/** Which browser is drawn, and how; the same wherever a page shows the notification. */
export const usePreviewChoice = () =>
  useState<Choice>({ browser: browsers[0].id, isOpen: true, scheme: null });

export interface NotificationPreviewProps {
  readonly app: Pick<App, 'site_domain' | 'icon_url' | 'badge_url'>;
  readonly content: PreviewContent;
  /** Otherwise its own. */
  readonly choice?: ReturnType<typeof usePreviewChoice>;
  /** In one line with the choice of the browser. */
  readonly heading?: ReactNode;
}

/** The notification as browsers draw it: parts that a browser leaves out are left out here too. */
export function NotificationPreview({ app, content, choice, heading }: NotificationPreviewProps): ReactNode {
  const own = usePreviewChoice();
  const page = useComputedColorScheme('light');
  const [chosen, choose] = choice ?? own;
  const { isOpen } = chosen;
  const scheme = chosen.scheme ?? page;
  const look = lookOf(chosen.browser);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {heading}
        {/* Below the heading where both have no room side by side. */}
        <Group gap="xs" wrap="nowrap" flex="1 1 14rem">
          <NativeSelect
            size="xs"
            flex="1 1 8rem"
            aria-label={words.in}
            data={browsers.map(({ id, name }) => ({ value: id, label: name }))}
            value={look.id}
            onChange={(event) => choose({ ...chosen, browser: event.currentTarget.value })}
          />
          <ChoiceBar
            small
            aria-label={words.scheme}
            value={scheme}
            onChange={(value) => choose({ ...chosen, scheme: value })}
            data={(['light', 'dark'] as const).map((value) => ({ value, label: words.schemes[value] }))}
          />
        </Group>
      </Group>
      <figure className={classes.figure}>
        <Drawing look={look} app={app} content={content} isOpen={isOpen} scheme={scheme} />
        <Text component="figcaption" size="xs" c="dimmed" mt="xs">
          {aboutOf(look)}
        </Text>
      </figure>
      {look.folded !== null && (
        <ChoiceBar
          small
          aria-label={words.state}
          value={isOpen ? 'open' : 'folded'}
          onChange={(value) => choose({ ...chosen, isOpen: value === 'open' })}
          data={(['folded', 'open'] as const).map((value) => ({ value, label: words.states[value] }))}
        />
      )}
    </Stack>
  );
}

/** The notification as the chosen browser draws it, with nothing to choose. */
export function ChosenDrawing({
  app,
  content,
  choice,
}: Required<Omit<NotificationPreviewProps, 'heading'>>): ReactNode {
  const page = useComputedColorScheme('light');
  const [{ browser, isOpen, scheme }] = choice;
  return (
    <Drawing look={lookOf(browser)} app={app} content={content} isOpen={isOpen} scheme={scheme ?? page} />
  );
}

interface DrawnProps extends Pick<NotificationPreviewProps, 'app' | 'content'> {
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
    <div className={classes.screen} data-scheme={scheme}>
      <VisuallyHidden>{words.of(look.name)}</VisuallyHidden>
      <Frame
        look={look}
        shown={shownIn(look, given, isOpen)}
        host={URL.parse(app.site_domain)?.host ?? app.site_domain}
        isOpen={isOpen}
      />
    </div>
  );
}
