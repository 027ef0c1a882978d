import { FileInput, Input, Stack } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { t } from '../texts/t.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { IconPhoto } from '../ui/icons.ts';
import { AddressInput } from './address-input.tsx';
import type { OfVariant, WithForm } from './form.ts';
import { wrongFile } from './rules.ts';
import { imageKinds, type PictureName } from './values.ts';
import { contentAt, pathOf } from './variants.ts';
import { FieldWarnings } from './warnings/field-warnings.tsx';

const words = t.compose;

interface OnePicture {
  readonly name: PictureName;
}

/** The image and the notification's own icon, by an address or as a file. */
export const ImageFields = (props: OfVariant): ReactNode => (
  <>
    <PictureFields {...props} name="image" />
    <PictureFields {...props} name="icon" />
  </>
);

function PictureFields({ form, at, name }: OfVariant & OnePicture): ReactNode {
  const { [name]: kind } = contentAt(form.getValues(), at);
  // A file travels with one delivery alone.
  const kinds = at === 0 ? imageKinds : imageKinds.filter((each) => each !== 'file');
  const label = useId();
  return (
    <Stack gap="xs">
      <div>
        <Input.Label labelElement="div" id={label}>
          {name === 'icon' ? words.iconLabel : words.image}
        </Input.Label>
        <Input.Description>{words[`${name}Hint`]}</Input.Description>
      </div>
      <ChoiceBar
        aria-labelledby={label}
        data={kinds.map((value) => ({ value, label: words[`${name}Kinds`][value] }))}
        {...form.getInputProps(pathOf(at, name))}
        value={kind}
      />
      {kind === 'url' && (
        <AddressInput
          form={form}
          path={pathOf(at, `${name}_url`)}
          label={words[`${name}Url`]}
          description={<FieldWarnings field={`/${name}_url`} instead={words.imageUrlHint} />}
        />
      )}
      {kind === 'file' && <PictureFile form={form} name={name} />}
    </Stack>
  );
}

function PictureFile({ form, name }: WithForm & OnePicture): ReactNode {
  const path = `${name}_file` as const;
  const { onChange, ...input } = form.getInputProps(path);
  return (
    <FileInput
      label={words[`${name}File`]}
      placeholder={words.imagePick}
      accept="image/png,image/jpeg"
      leftSection={<IconPhoto size={16} aria-hidden />}
      clearable
      clearButtonProps={{ 'aria-label': t.actions.remove }}
      {...input}
      onChange={(file: File | null) => {
        onChange(file);
        const wrong = file === null ? null : wrongFile(file);
        if (wrong !== null) form.setFieldError(path, wrong);
      }}
    />
  );
}
