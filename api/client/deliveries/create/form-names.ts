/** A button of a translation: `translations[0][action_buttons][0][title]`, and one more. */
const MOST_PARTS = 6;
const MOST_CHARACTERS = 100;
/** Forms number what people add to them; the numbers say the order, and no list is as long as its last one. */
const index = /^(0|[1-9]\d{0,3})$/;

export const isIndex = (part: string): boolean => index.test(part);

const head = /^[^.[\]]+/;
const next = /\[([^.[\]]*)\]|\.([^.[\]]+)/y;

/**
 * The parts of a field's name, as PHP and Rails write it (`action_buttons[0][title]`, `action_buttons[][title]`), or
 * libraries that fill in a `FormData` (`action_buttons[0].title`, `action_buttons.0.title`). An empty part is the next
 * entry of a list. Null where it is none of these.
 */
export function partsOfName(name: string): readonly string[] | null {
  const first = head.exec(name)?.[0];
  if (first === undefined || name.length > MOST_CHARACTERS) return null;
  const parts = [first];
  next.lastIndex = first.length;
  while (next.lastIndex < name.length) {
    const match = next.exec(name);
    if (match === null || parts.length === MOST_PARTS) return null;
    parts.push(match[1] ?? match[2] ?? '');
  }
  return parts.slice(1).every((part) => !/^\d+$/.test(part) || isIndex(part)) ? parts : null;
}
