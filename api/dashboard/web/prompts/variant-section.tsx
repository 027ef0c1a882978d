import { Button, Checkbox, ColorInput, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';
import { PromptPreview } from './preview.tsx';
import type { PromptForm } from './rules-section.tsx';
import { colours, kinds, placesOf } from './values.ts';

const words = t.prompts;
const MAX_TEXT = 200;

interface VariantSectionProps {
  readonly form: PromptForm;
  readonly index: number;
  readonly name: string;
}

/** One of at most two, and what readers will see of it. */
export function VariantSection({ form, index, name }: VariantSectionProps): ReactNode {
  const { variants } = form.getValues();
  const variant = variants[index];
  if (variant === undefined) return null;
  const at = (field: string): string => `variants.${index}.${field}`;
  const places = placesOf[variant.kind];
  return (
    <Section
      title={variants.length === 1 ? words.look : words.variant(name)}
      description={variants.length === 1 ? undefined : words.variantHint}
    >
      <PromptPreview variant={variant} label={words.previewOf(name)} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={words.kind}
          allowDeselect={false}
          data={kinds.map((value) => ({ value, label: words.kinds[value] }))}
          {...form.getInputProps(at('kind'))}
        />
        {places.length > 0 && (
          <Select
            label={words.place}
            allowDeselect={false}
            data={places.map((value) => ({ value, label: words.places[value] }))}
            {...form.getInputProps(at('place'))}
            value={places.find((place) => place === variant.place) ?? places[0] ?? null}
          />
        )}
      </SimpleGrid>
      {variant.kind !== 'bell' && <TextFields form={form} at={at} />}
      {variant.kind === 'slide-down' && (
        <Checkbox
          label={words.categories}
          description={words.categoriesHint}
          {...form.getInputProps(at('categories'), { type: 'checkbox' })}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }}>
        {(Object.keys(colours) as (keyof typeof colours)[]).map((colour) => (
          <ColorInput
            key={colour}
            label={words.colours[colour]}
            format="hex"
            withEyeDropper={false}
            {...form.getInputProps(at(colour))}
          />
        ))}
      </SimpleGrid>
      {variants.length > 1 && (
        <Group>
          <Button
            variant="default"
            onClick={() => form.removeListItem('variants', index)}
            aria-label={words.removeOf(name)}
          >
            {words.remove}
          </Button>
        </Group>
      )}
    </Section>
  );
}

const TextFields = ({ form, at }: { form: PromptForm; at: (field: string) => string }): ReactNode => (
  <>
    <TextInput
      label={words.question}
      description={words.textsHint}
      maxLength={MAX_TEXT}
      placeholder={words.own.question}
      {...form.getInputProps(at('question'))}
    />
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={words.accept}
        maxLength={MAX_TEXT}
        placeholder={words.own.accept}
        {...form.getInputProps(at('accept'))}
      />
      <TextInput
        label={words.later}
        maxLength={MAX_TEXT}
        placeholder={words.own.later}
        {...form.getInputProps(at('later'))}
      />
    </SimpleGrid>
  </>
);
