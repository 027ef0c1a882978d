import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { useMay } from '../../data/account/for-role.tsx';
import { deliveriesKey } from '../../data/deliveries/queries.ts';
import { wordsOf } from '../../data/http/problem.ts';
import { useApi } from '../../data/http/services.tsx';
import {
  type NewTest,
  sendTest,
  type TestBrowser,
  testBrowsersQuery,
} from '../../data/test-browsers/queries.ts';
import { t } from '../../texts/t.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loading.tsx';
import { AddBrowser } from './add-browser.tsx';
import Results from './results.tsx';
import { whereOf } from './where.ts';

const words = t.tests;

interface TestDialogProps {
  readonly app: string;
  /** What is tried, without whom it goes to. */
  readonly content: NewTest;
  readonly files: Readonly<Record<string, File>>;
  readonly onClose: () => void;
}

/** Which of the team's browsers get it, and how it went there. */
export default function TestDialog(props: TestDialogProps): ReactNode {
  const query = useQuery(testBrowsersQuery(useApi(), props.app));
  return (
    <Dialog opened onClose={props.onClose} title={words.sendTitle} size="lg">
      <Loaded query={query}>{(browsers) => <Choice {...props} browsers={browsers} />}</Loaded>
    </Dialog>
  );
}

const isOn = ({ status }: TestBrowser): boolean => status === 'subscribed';

function Choice({
  app,
  content,
  files,
  onClose,
  browsers,
}: TestDialogProps & { readonly browsers: readonly TestBrowser[] }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  /** Of those that one can choose: new ones are chosen. */
  const [left, setLeft] = useState<readonly string[]>([]);
  const [adding, setAdding] = useState(browsers.length === 0);
  const added = useCallback(() => setAdding(false), []);
  const isApprover = useMay('approver');
  /** What an author sends has no second person: it goes where the browser itself came by a link. */
  const isOpen = (each: TestBrowser): boolean => isOn(each) && (isApprover || each.consented);
  const chosen = browsers.filter((each) => isOpen(each) && !left.includes(String(each.id)));
  const send = useMutation({
    mutationFn: () => sendTest(api, app, { ...content, test_browser_ids: chosen.map(({ id }) => id) }, files),
    onSuccess: () => void queries.invalidateQueries({ queryKey: deliveriesKey(app) }),
  });
  const choose = (ids: readonly string[]): void =>
    setLeft(browsers.map(({ id }) => String(id)).filter((id) => !ids.includes(id)));
  return (
    <Stack gap="md">
      <Text size="sm">{browsers.length === 0 ? words.empty : words.about}</Text>
      {browsers.length > 0 && (
        <Checkbox.Group
          label={words.to}
          value={chosen.map(({ id }) => String(id))}
          onChange={choose}
          error={browsers.some(isOpen) && chosen.length === 0 ? words.noneChosen : null}
        >
          <Stack gap="xs" mt="xs">
            {browsers.map((each) => (
              <Checkbox
                key={each.id}
                value={String(each.id)}
                label={each.name}
                description={isOpen(each) ? whereOf(each) : isOn(each) ? words.picked : words.gone}
                disabled={!isOpen(each)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {adding ? (
        <AddBrowser app={app} onAdded={added} />
      ) : (
        <div>
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        </div>
      )}
      {send.isError && (
        <Alert color="red" role="alert">
          {wordsOf(send.error)}
        </Alert>
      )}
      {send.data !== undefined && (
        <section aria-label={words.results}>
          <Results key={send.data.id} app={app} delivery={send.data.id} sentAtMs={send.submittedAt} />
        </section>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {send.data === undefined ? t.actions.cancel : t.actions.close}
        </Button>
        <Button onClick={() => send.mutate()} loading={send.isPending} disabled={chosen.length === 0}>
          {send.data === undefined ? words.send : words.again}
        </Button>
      </Group>
    </Stack>
  );
}
