import { Alert, Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { wordsOf } from '../../data/http/problem.ts';
import { useApi } from '../../data/http/services.tsx';
import {
  makeLink,
  type TestBrowser,
  testBrowsersKey,
  testBrowsersQuery,
} from '../../data/test-browsers/queries.ts';
import { t } from '../../texts/t.ts';
import { Snippet } from '../../ui/copy.tsx';
import { IconExternalLink } from '../../ui/icons.ts';
import { toastDone } from '../../ui/toast.ts';
import { exampleUrl, isThisMachine } from '../this-machine.ts';

const words = t.tests;
const LOOK_EVERY_MS = 2_000;
const MINUTE_MS = 60_000;

interface AddBrowserProps {
  readonly app: string;
  /** A browser has opened the link. */
  readonly onAdded: (browser: TestBrowser) => void;
}

/** A link that registers the browser which opens it, and the wait for that browser. */
export function AddBrowser({ app, onAdded }: AddBrowserProps): ReactNode {
  const api = useApi();
  const [asked, setAsked] = useState(() => Date.now());
  const link = useQuery({
    queryKey: ['test-link', app, asked],
    queryFn: async () => ({ ...(await makeLink(api, app)), askedAtMs: asked }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const isOver = useIsOver(link.data?.expires_at);
  const added = useAdded(app, link.data !== undefined && !isOver, onAdded);
  const another = (): void => setAsked(Date.now());
  if (link.isError) return <Alert color="red">{wordsOf(link.error)}</Alert>;
  if (link.data === undefined || added) return <Loader size="sm" role="status" aria-label={words.waiting} />;
  if (isOver)
    return (
      <Group>
        <Text size="sm">{words.ended}</Text>
        <Button size="xs" variant="default" onClick={another}>
          {words.another}
        </Button>
      </Group>
    );
  const { url, expires_at, askedAtMs } = link.data;
  const minutes = Math.round((Date.parse(expires_at) - askedAtMs) / MINUTE_MS);
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Text size="sm">{(isThisMachine() ? words.addHere : words.addAbout)(minutes)}</Text>
        <Group gap="xs">
          {isThisMachine() && (
            <Button
              component="a"
              href={exampleUrl(app, new URL(url).hash)}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={16} aria-hidden />}
            >
              {t.integration.openExample}
            </Button>
          )}
          <Button
            variant={isThisMachine() ? 'default' : 'filled'}
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            {words.openHere}
          </Button>
        </Group>
        <div>
          <Text size="sm" mb={4}>
            {words.elsewhere}
          </Text>
          <Snippet text={url} label={words.elsewhere} />
        </div>
        <Group gap="xs" wrap="nowrap" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed">
            {words.waiting}
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Whether a time has come. */
function useIsOver(end: string | undefined): boolean {
  const [over, setOver] = useState<string | null>(null);
  useEffect(() => {
    if (end === undefined) return;
    const timer = setTimeout(() => setOver(end), Date.parse(end) - Date.now());
    return () => clearTimeout(timer);
  }, [end]);
  return end !== undefined && over === end;
}

/** Looks for a browser that was registered since: a new one, or one that came again. */
function useAdded(app: string, looking: boolean, onAdded: AddBrowserProps['onAdded']): boolean {
  const query = useQuery({
    ...testBrowsersQuery(useApi(), app),
    refetchInterval: looking ? LOOK_EVERY_MS : false,
    refetchIntervalInBackground: true,
  });
  const queries = useQueryClient();
  const [before] = useState(() => marksOf(queries.getQueryData<TestBrowser[]>(testBrowsersKey(app))));
  const [known, setKnown] = useState(before);
  const now = query.data;
  const added = known === null ? undefined : now?.find((each) => !known.has(markOf(each)));
  useEffect(() => {
    if (now !== undefined && known === null) setKnown(marksOf(now));
    if (added === undefined) return;
    setKnown(marksOf(now));
    toastDone(words.added(added.name));
    onAdded(added);
  }, [now, known, added, onAdded]);
  return added !== undefined;
}

const markOf = ({ id, registered_at }: TestBrowser): string => `${id} ${registered_at}`;
const marksOf = (browsers: readonly TestBrowser[] | undefined): ReadonlySet<string> | null =>
  browsers === undefined ? null : new Set(browsers.map(markOf));
