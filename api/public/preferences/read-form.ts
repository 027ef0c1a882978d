import { fewerOf, isClock } from './form.ts';
import type { Change } from './store.ts';

/** What the page's forms post: null where it is none of theirs. */
export function changeOf(fields: URLSearchParams): Change | null {
  switch (fields.get('act')) {
    case 'save':
      return choicesOf(fields);
    case 'pause':
      return { kind: 'pause' };
    case 'resume':
      return { kind: 'resume' };
    case 'leave':
      return { kind: 'leave' };
    default:
      return null;
  }
}

/** A browser posts the boxes that are ticked: those that were shown say which are not. */
function choicesOf(fields: URLSearchParams): Change | null {
  const ids = (name: string): number[] => fields.getAll(name).map(Number);
  const [shown, ticked] = [ids('shown'), new Set(ids('category'))];
  const fewer = fewerOf(fields.get('fewer') ?? '');
  const [from = '', to = ''] = [fields.get('from') ?? '', fields.get('to') ?? ''];
  const isQuiet = fields.get('quiet') === 'on';
  if (fewer === 'invalid' || !shown.every(isId) || (isQuiet && !(isClock(from) && isClock(to)))) return null;
  return {
    kind: 'choices',
    categoriesOff: shown.length === 0 ? null : shown.filter((id) => !ticked.has(id)),
    fewer,
    quietHours: isQuiet ? { from, to } : null,
  };
}

const MAX_INT4 = 2_147_483_647;
const isId = (id: number): boolean => Number.isInteger(id) && id > 0 && id <= MAX_INT4;
