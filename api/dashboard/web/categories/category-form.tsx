import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { type Category, categoriesKey } from '../data/categories/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { GrowingTextarea } from '../ui/growing-textarea.tsx';
import { toastDone } from '../ui/toast.ts';

export interface CategoryFormProps {
  /** Null: a new one. */
  readonly category: Category | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a category or changes one. */
export function CategoryForm({ category, opened, onClose }: CategoryFormProps): ReactNode {
  const save = useSaveCategory(category);
  const form = useForm({
    initialValues: { name: category?.name ?? '', description: category?.description ?? '' },
    validate: { name: (name) => (name.trim() === '' ? t.categories.nameMissing : null) },
  });
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={category === null ? t.categories.create : t.categories.editTitle(category.name)}
      form={form}
      act={category === null ? t.actions.create : t.actions.save}
      run={save}
    >
      <TextInput
        label={t.categories.name}
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <GrowingTextarea
        label={t.categories.about}
        description={t.categories.aboutHint}
        maxLength={255}
        {...form.getInputProps('description')}
      />
    </FormModal>
  );
}

function useSaveCategory(category: Category | null) {
  const { identifier } = useApp();
  const api = useApi();
  const queries = useQueryClient();
  return async (values: { name: string; description: string }): Promise<void> => {
    const body = { name: values.name.trim(), description: values.description.trim() };
    const at = '/api/v1/client/apps/{identifier}/delivery-categories';
    await (category === null
      ? dataOf(api.POST(at, { params: { path: { identifier } }, body }))
      : dataOf(
          api.PUT(`${at}/{category_id}`, {
            params: { path: { identifier, category_id: String(category.id) } },
            body,
          }),
        ));
    await queries.invalidateQueries({ queryKey: categoriesKey(identifier) });
    toastDone(t.categories.saved(body.name));
  };
}
