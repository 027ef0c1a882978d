import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReportDraft } from './report.ts';
import { type SavedReport, savedBodyOf } from './saved-report.ts';
import type { Ask } from './use-jobs.ts';

/** What a report is saved with; with an id it replaces that one. `view` is at most 4,096 characters of JSON. */
export interface Saving {
  readonly id?: number;
  readonly name: string;
  readonly draft: ReportDraft;
  readonly view?: object;
}

/** The reports that the organization has saved, by name. */
export function useSaved(token: string, ask: Ask, onError: (error: Error) => void) {
  const queries = useQueryClient();
  const queryKey = ['saved-reports', token.split('|')[0]];
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey });
  const saved = useQuery({
    queryKey,
    retry: false,
    queryFn: async (): Promise<readonly SavedReport[]> => {
      const answer = await ask({ method: 'GET', path: '/saved' });
      return ((await answer.json()) as { readonly data: readonly SavedReport[] }).data;
    },
  });
  const save = useMutation({
    mutationFn: async ({ id, name, draft, view }: Saving): Promise<SavedReport> => {
      const body = savedBodyOf(name, draft, view);
      const answer = await ask(
        id === undefined
          ? { method: 'POST', path: '/saved', body }
          : { method: 'PUT', path: `/saved/${id}`, body },
      );
      return ((await answer.json()) as { readonly data: SavedReport }).data;
    },
    onSettled: refresh,
    onError,
  });
  const remove = async ({ id }: SavedReport): Promise<void> => {
    // Also where a colleague was first: the list is another one then.
    await ask({ method: 'DELETE', path: `/saved/${id}` }).finally(refresh);
  };
  return { saved, save, remove };
}
