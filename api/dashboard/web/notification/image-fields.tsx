import { FileInput, Input, Stack } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { t } from '../texts/t.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { AddressInput } from './address-input.tsx';
import type { OfVariant, WithForm } from './form.ts';
import { wrongFile } from './rules.ts';
import { imageKinds } from './values.ts';
import { contentAt, pathOf } from './variants.ts';
import { FieldWarnings } from './warnings/field-warnings.tsx';

const words = t.compose;

/** An image by its address, or as a file. */
export function ImageFields({ form, at }: OfVariant): ReactNode {
  const { image } = contentAt(form.getValues(), at);
  // A file travels with one delivery alone.
  const kinds = at === 0 ? imageKinds : imageKinds.filter((kind) => kind !== 'file');
  const label = useId();
  return (
    <Stack gap="xs">
      <div>
        <Input.Label labelElement="div" id={label}>
          {words.image}
        </Input.Label>
        <Input.Description>{words.imageHint}</Input.Description>
      </div>
      <ChoiceBar
        aria-labelledby={label}
        data={kinds.map((value) => ({ value, label: words.imageKinds[value] }))}
        {...form.getInputProps(pathOf(at, 'image'))}
        value={image}
      />
      {image === 'url' && (
        <AddressInput
          form={form}
          path={pathOf(at, 'image_url')}
          label={words.imageUrl}
          description={<FieldWarnings field="/image_url" instead={words.imageUrlHint} />}
        />
      )}
      {image === 'file' && <ImageFile form={form} />}
    </Stack>
  );
}

function ImageFile({ form }: WithForm): ReactNode {
  const { onChange, ...input } = form.getInputProps('image_file');
  return (
    <FileInput
      label={words.imageFile}
      placeholder={words.imagePick}
      accept="image/png,image/jpeg"
      leftSection={<IconPhoto size={16} aria-hidden />}
      clearable
      clearButtonProps={{ 'aria-label': t.actions.remove }}
      {...input}
      onChange={(file: File | null) => {
        onChange(file);
        const wrong = file === null ? null : wrongFile(file);
        if (wrong !== null) form.setFieldError('image_file', wrong);
      }}
    />
  );
}
