import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import type { ComposeForm } from './form.ts';
import { addressOf, type Content } from './values.ts';
import { contentAt, pathOf } from './variants.ts';

type Taken = Partial<Pick<Content, 'title' | 'image' | 'image_url'>>;

/** What a pasted address proposes, and the way back. */
export interface ProposedFields {
  readonly isReading: boolean;
  /** What was taken over; null: nothing is, or it was undone. */
  readonly taken: readonly ('title' | 'image')[] | null;
  readonly propose: (address: string) => void;
  readonly undo: () => void;
}

/** Takes the title and the image of the page at a pasted address, where one has not chosen any. */
export function useProposal(form: ComposeForm, at: number): ProposedFields {
  const { identifier } = useApp();
  const api = useApi();
  const take = (fields: Taken): void => {
    for (const [name, value] of Object.entries(fields)) form.setFieldValue(pathOf(at, name), value as never);
  };
  const [before, setBefore] = useState<Taken | null>(null);
  const read = useMutation({
    mutationFn: (url: string) =>
      dataOf(
        api.POST('/api/v1/client/apps/{identifier}/deliveries/proposal', {
          params: { path: { identifier } },
          body: { url },
        }),
      ),
    onSuccess: ({ title, image_url }, url) => {
      const { url: now, title: written, image, image_url: chosen } = contentAt(form.getValues(), at);
      // Only for what still stands there, and never over what somebody wrote meanwhile.
      if (addressOf(now) !== url) return;
      const taken: Taken = {
        ...(title !== null && written.trim() === '' ? { title } : {}),
        ...(image_url !== null && image === 'none' ? { image: 'url', image_url } : {}),
      };
      if (Object.keys(taken).length === 0) return;
      take(taken);
      setBefore({
        ...('title' in taken ? { title: written } : {}),
        ...('image' in taken ? { image, image_url: chosen } : {}),
      });
    },
  });
  return {
    isReading: read.isPending,
    taken: before === null ? null : (['title', 'image'] as const).filter((name) => name in before),
    propose: (address) => {
      const url = addressOf(address);
      setBefore(null);
      if (/^https?:\/\/[^/]+\../i.test(url)) read.mutate(url);
    },
    undo: () => {
      if (before !== null) take(before);
      setBefore(null);
    },
  };
}
