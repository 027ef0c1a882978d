import { useDebouncedCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { changedBy, draftsKey, saveDraft } from '../data/drafts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { type ComposeValues, nameOf, storedOf } from '../notification/values.ts';

const SAVE_AFTER_MS = 1_000;

export interface SavedDraft {
  readonly id: number;
  readonly version: number;
  readonly name: string;
}

export type Saving =
  | { readonly kind: 'saved'; readonly at: string | null }
  | { readonly kind: 'saving' }
  | { readonly kind: 'failed' }
  /** Somebody has changed it: nothing is saved until one has decided. */
  | { readonly kind: 'conflict'; readonly by: string };

export interface Autosave {
  readonly saving: Saving;
  /** A second after the last change, one save at a time, and when the page is left. */
  readonly note: (values: ComposeValues) => void;
  /** It was sent, or given up. */
  readonly stop: () => void;
}

/** Saves a draft on the server while one writes. */
export function useAutosave(app: string, draft: SavedDraft | null): Autosave {
  const api = useApi();
  const queries = useQueryClient();
  const [saving, setSaving] = useState<Saving>({ kind: 'saved', at: null });
  const state = useRef({
    version: draft?.version ?? 0,
    next: null as ComposeValues | null,
    isBusy: false,
    isOver: false,
  });

  async function save(): Promise<void> {
    const { current } = state;
    if (draft === null || current.isBusy || current.isOver || current.next === null) return;
    const values = current.next;
    current.next = null;
    current.isBusy = true;
    setSaving({ kind: 'saving' });
    try {
      const name = nameOf(values) || draft.name;
      const { version } = await saveDraft(
        api,
        app,
        { id: draft.id, version: current.version },
        name,
        storedOf(values),
      );
      current.version = version;
      setSaving({ kind: 'saved', at: new Date().toISOString() });
      void queries.invalidateQueries({ queryKey: draftsKey(app), refetchType: 'none' });
    } catch (error) {
      const by = changedBy(error);
      current.isOver = by !== null;
      // It is saved with the next change, unless that has come already.
      current.next ??= values;
      setSaving(by === null ? { kind: 'failed' } : { kind: 'conflict', by });
      return;
    } finally {
      current.isBusy = false;
    }
    void save();
  }

  const soon = useDebouncedCallback(() => void save(), { delay: SAVE_AFTER_MS, flushOnUnmount: true });
  return {
    saving,
    note: (values) => {
      state.current.next = values;
      soon();
    },
    stop: () => {
      state.current.isOver = true;
    },
  };
}
