import { Accordion, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { snippetsOf, WORKER_PATH } from '../../../sdk/snippet.ts';
import { useApp } from '../data/apps/use-app.ts';
import { useServices } from '../data/http/services.tsx';
import { exampleUrl, isThisMachine } from '../parts/this-machine.ts';
import { t } from '../texts/t.ts';
import { Snippet } from '../ui/copy.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { IphoneSection } from './iphone-section.tsx';
import { MovingPart } from './moving-part.tsx';

/** The code to put into the site, to be copied as it is. */
export function IntegrationPage(): ReactNode {
  const app = useApp();
  const { baseUrl } = useServices();
  const snippets = snippetsOf({ baseUrl, appId: app.identifier });
  const toOverview = (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/apps/$app" params={{ app: app.identifier }} {...props} />}
    >
      {t.integration.toOverview}
    </Button>
  );
  return (
    <Page
      title={t.integration.title}
      description={
        isThisMachine(new URL(baseUrl).hostname)
          ? t.integration.descriptionHere(app.site_domain)
          : t.integration.description(app.site_domain)
      }
      width="narrow"
      crumbs={[{ label: app.name, to: '/apps/$app', params: { app: app.identifier } }]}
    >
      {isThisMachine() && <TryHere app={app.identifier} />}
      <Section title={t.integration.worker} description={t.integration.workerHint(WORKER_PATH)}>
        <Snippet text={snippets.worker} label={t.integration.worker} />
      </Section>
      <Section title={t.integration.page} description={t.integration.pageHint}>
        <Snippet text={snippets.page} label={t.integration.page} />
      </Section>
      <Section title={t.integration.test} description={t.integration.testHint}>
        <Group>{toOverview}</Group>
      </Section>
      <IphoneSection />
      <More app={app.identifier} />
    </Page>
  );
}

const TryHere = ({ app }: { app: string }): ReactNode => (
  <Section title={t.integration.tryHere} description={t.integration.tryHereHint}>
    <Group>
      <Button component="a" href={exampleUrl(app)} target="_blank" rel="noreferrer">
        {t.integration.openExample}
      </Button>
    </Group>
  </Section>
);

function More({ app }: { app: string }): ReactNode {
  const { baseUrl } = useServices();
  const snippets = snippetsOf({ baseUrl, appId: app });
  const parts = [
    { key: 'prompt', title: t.integration.prompt, hint: t.integration.promptHint, text: null },
    {
      key: 'existing',
      title: t.integration.existing,
      hint: t.integration.existingHint,
      text: snippets.ownWorker,
    },
    { key: 'module', title: t.integration.module, hint: t.integration.moduleHint, text: snippets.module },
    {
      key: 'policy',
      title: t.integration.policy,
      hint: t.integration.policyHint,
      text: t.integration.policyText(new URL(baseUrl).origin),
    },
    { key: 'identifier', title: t.integration.identifier, hint: null, text: app },
  ];
  return (
    <Section title={t.integration.more}>
      <Accordion multiple variant="default" order={3}>
        <Accordion.Item value="moving">
          <Accordion.Control>{t.integration.moving.title}</Accordion.Control>
          <Accordion.Panel>
            <MovingPart app={app} />
          </Accordion.Panel>
        </Accordion.Item>
        {parts.map(({ key, title, hint, text }) => (
          <Accordion.Item key={key} value={key}>
            <Accordion.Control>{title}</Accordion.Control>
            <Accordion.Panel>
              {hint !== null && <Text mb={text === null ? 0 : 'sm'}>{hint}</Text>}
              {text !== null && <Snippet text={text} label={title} />}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  );
}
