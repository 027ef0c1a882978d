import { Group, Stack, Tabs, Text, useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { type ComponentType, type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { ChoiceBar } from '../../ui/choice-bar.tsx';
import { AndroidDrawing } from './android.tsx';
import { ChromeDrawing } from './chrome.tsx';
import type { DrawingProps, PreviewContent } from './content.ts';
import { FirefoxDrawing } from './firefox.tsx';
import classes from './preview.module.css';
import { IphoneDrawing, SafariDrawing } from './safari.tsx';

const words = t.preview;
const browsers = ['chrome', 'firefox', 'android', 'safari', 'iphone'] as const;
type Browser = (typeof browsers)[number];

const drawings: Readonly<Record<Browser, ComponentType<DrawingProps>>> = {
  chrome: ChromeDrawing,
  firefox: FirefoxDrawing,
  android: AndroidDrawing,
  safari: SafariDrawing,
  iphone: IphoneDrawing,
};

export interface NotificationPreviewProps {
  /** The app's address. */
  readonly site: string;
  readonly content: PreviewContent;
}

/** The notification as browsers draw it: parts that a browser leaves out are left out here too. */
export function NotificationPreview({ site, content }: NotificationPreviewProps): ReactNode {
  const own = useComputedColorScheme('light');
  const [chosen, setChosen] = useState<'light' | 'dark' | null>(null);
  const scheme = chosen ?? own;
  const host = URL.parse(site)?.host ?? site;
  const shown = {
    ...content,
    title: content.title.trim() || words.title,
    body: content.body.trim() || words.body,
    buttons: content.buttons.filter((title) => title.trim() !== ''),
  };
  return (
    <Tabs defaultValue="chrome" variant="pills" keepMounted={false} classNames={{ tab: classes.tab }}>
      <Stack gap="sm">
        <Tabs.List grow aria-label={words.in}>
          {browsers.map((browser) => (
            <Tabs.Tab key={browser} value={browser}>
              {words.browsers[browser]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {browsers.map((browser) => {
          const Drawing = drawings[browser];
          return (
            <Tabs.Panel key={browser} value={browser}>
              <figure className={classes.figure}>
                <div className={classes.screen} data-scheme={scheme}>
                  <VisuallyHidden>{words.of(words.browsers[browser])}</VisuallyHidden>
                  <Drawing content={shown} host={host} />
                </div>
                <Text component="figcaption" size="xs" c="dimmed" mt="xs">
                  {words.about[browser]}
                </Text>
              </figure>
            </Tabs.Panel>
          );
        })}
        <Group justify="flex-end">
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
