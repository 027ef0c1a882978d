import { Button, Group, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { IconAlertCircle, IconPlus, IconTrash } from '../ui/icons.ts';
import type { WithForm } from './form.ts';
import { MAX_VARIANTS } from './values.ts';
import { addVariant, contentsOf, isTest, pathOf, placeOf, removeVariant } from './variants.ts';

const words = t.compose;

interface VariantTabsProps extends WithForm {
  /** Place of the variant that is shown, from 0. */
  readonly shown: number;
  readonly onShow: (at: number) => void;
  readonly children: ReactNode;
}

/** The fields of one variant, below the tabs of all; without variants, only the way to the first. */
export function VariantTabs({ form, shown, onShow, children }: VariantTabsProps): ReactNode {
  const values = form.getValues();
  const places = contentsOf(values).map((_, at) => at);
  const add = (): void => {
    const at = addVariant(form, shown);
    onShow(at);
    // A variant most often differs in its title.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-path='${pathOf(at, 'title')}']`)?.focus(),
    );
  };
  if (!isTest(values)) {
    return (
      <>
        <AddButton form={form} onAdd={add} />
        {children}
      </>
    );
  }
  const wrong = new Set(Object.keys(form.errors).map(placeOf));
  const remove = (): void => {
    onShow(Math.max(0, shown - 1));
    removeVariant(form, shown);
  };
  return (
    <>
      <Tabs value={String(shown)} onChange={(value) => onShow(Number(value))} keepMounted={false}>
        <Tabs.List aria-label={words.variants} mb="md">
          {places.map((at) => (
            <Tabs.Tab
              key={at}
              value={String(at)}
              rightSection={
                wrong.has(at) && <IconAlertCircle size={16} role="img" aria-label={words.variantWrong} />
              }
            >
              {words.variant(at + 1)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {places.map((at) => (
          <Tabs.Panel key={at} value={String(at)}>
            {children}
          </Tabs.Panel>
        ))}
      </Tabs>
      <Group gap="xs">
        <AddButton form={form} onAdd={add} />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={remove}
        >
          {words.variantRemove(shown + 1)}
        </Button>
      </Group>
    </>
  );
}

/** A test is sent now or at a time: the other times have one notification. */
function AddButton({ form, onAdd }: WithForm & { readonly onAdd: () => void }): ReactNode {
  const { mode, variants } = form.getValues();
  const isTimed = mode === 'local' || mode === 'repeats';
  if (variants.length + 1 >= MAX_VARIANTS) return null;
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        disabled={isTimed}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={onAdd}
      >
        {words.variantAdd}
      </Button>
      {variants.length === 0 && (
        <Text size="xs" c="dimmed" flex="1 1 12rem">
          {isTimed ? words.variantNotTimed : words.variantHint}
        </Text>
      )}
    </Group>
  );
}
