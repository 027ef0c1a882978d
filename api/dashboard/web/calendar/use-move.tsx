import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Entry } from '../data/calendar/queries.ts';
import { changeDelivery, deliveriesKey } from '../data/deliveries/queries.ts';
import { Problem } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { toastProblem, toastWithUndo } from '../ui/toast.ts';

const words = t.calendar;

interface Move {
  readonly entry: Entry;
  readonly to: Date;
}

/**
 * Gives a delivery another time, and offers to take it back. Where somebody has changed it meanwhile, the API refuses, and
 * the page shows what they made of it.
 */
export function useMove(app: string) {
  const api = useApi();
  const queries = useQueryClient();
  const move = useMutation({
    mutationFn: ({ entry, to }: Move) => {
      if (to.getTime() <= Date.now()) throw new Problem(422, t.change.future);
      const at = { id: entry.id, changes: entry.changes ?? 0 };
      return changeDelivery(api, app, at, { scheduled_at: to.toISOString() });
    },
    onError: toastProblem,
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey(app) }),
  });
  const undo = ({ entry }: Move, changes: number): void =>
    move.mutate({ entry: { ...entry, changes }, to: new Date(entry.at) });
  return {
    isMoving: move.isPending,
    move: (moved: Move, onDone = () => {}): void =>
      move.mutate(moved, {
        onSuccess: ({ changes }) => {
          onDone();
          toastWithUndo(
            <Group justify="space-between">
              {words.moved(moved.entry.name, formatTime(moved.to.toISOString()))}
              <Button size="compact-xs" variant="default" onClick={() => undo(moved, changes)}>
                {words.undo}
              </Button>
            </Group>,
          );
        },
      }),
  };
}
export type UseMove = ReturnType<typeof useMove>;
