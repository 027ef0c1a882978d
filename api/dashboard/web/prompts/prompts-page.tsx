import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { showFieldErrors } from '../data/http/form-errors.ts';
import { wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { type Prompts, promptsQuery, savePrompts } from '../data/prompts/queries.ts';
import { t } from '../texts/t.ts';
import { InTurn } from '../ui/in-turn.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { SaveButton } from '../ui/save-button.tsx';
import { toastDone } from '../ui/toast.ts';
import { ResultsSection } from './results-section.tsx';
import { OnSection, RulesSection } from './rules-section.tsx';
import { bodyOf, newVariant, type PromptValues, promptRules, valuesOf, variantNames } from './values.ts';
import { VariantSection } from './variant-section.tsx';

const words = t.prompts;

/** How the site asks its readers, with a preview beside each choice, and how that does. */
export function PromptsPage(): ReactNode {
  const app = useApp();
  const query = useQuery(promptsQuery(useApi(), app.identifier));
  return (
    <Page
      title={t.nav.prompts}
      description={words.description}
      crumbs={[{ label: app.name, to: '/apps/$app', params: { app: app.identifier } }]}
    >
      <Loaded query={query}>
        {(prompts) => (
          <>
            {/* Another app is another form. */}
            <PromptsForm key={app.identifier} prompts={prompts} />
            {prompts.round > 0 && <ResultsSection round={prompts.round} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function PromptsForm({ prompts }: { prompts: Prompts }): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<PromptValues>({ initialValues: valuesOf(prompts), validate: promptRules });
  const save = useSavePrompts((values) => {
    form.setValues(values);
    form.resetDirty(values);
  });
  const submit = (values: PromptValues): void => {
    setProblem(null);
    save.mutate(values, {
      onError: (error) => {
        if (!showFieldErrors(form, error)) setProblem(wordsOf(error));
      },
    });
  };
  const { variants } = form.getValues();
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <LeaveGuard dirty={form.isDirty()} />
      {/* The results below take the whole width. */}
      <Stack gap="lg" maw="46rem">
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <OnSection form={form} />
        <InTurn>
          {[
            () => <VariantSection form={form} index={0} name={variantNames[0]} />,
            () =>
              variants.length > 1 ? (
                <VariantSection form={form} index={1} name={variantNames[1]} />
              ) : (
                <Group>
                  <Button variant="default" onClick={() => form.insertListItem('variants', newVariant)}>
                    {words.addVariant}
                  </Button>
                </Group>
              ),
            () => <RulesSection form={form} />,
            () => <SaveButton least="member" dirty={form.isDirty()} busy={save.isPending} />,
          ]}
        </InTurn>
      </Stack>
    </form>
  );
}

function useSavePrompts(onSaved: (values: PromptValues) => void) {
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: PromptValues) => savePrompts(api, identifier, bodyOf(values)),
    onSuccess: (saved) => {
      onSaved(valuesOf(saved));
      queries.setQueryData(promptsQuery(api, identifier).queryKey, saved);
      toastDone(words.saved);
    },
  });
}
