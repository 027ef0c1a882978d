const jsonFields: ReadonlySet<string> = new Set(['action_buttons', 'translations', 'test_browser_ids']);

/**
 * Texts of a form → fields of a body. Buttons come as JSON text in `action_buttons` (as do `translations`), or one text each as
 * `action_buttons[0][title]`. An empty text counts as left out, as `null` does in JSON: a form sends every
 * field that it has.
 */
export function formFields(texts: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const buttons: Record<string, unknown>[] = [];
  for (const [name, value] of texts) {
    if (value === '') continue;
    const part = /^action_buttons\[(\d)\]\[(title|url)\]$/.exec(name);
    if (part === null) fields[name] = jsonFields.has(name) ? parseJson(value) : value;
    else buttonAt(buttons, Number(part[1]))[part[2] ?? ''] = value;
  }
  // Numbers may be left out: a page removes one of its buttons and sends the others.
  const given = buttons.filter((button) => button !== undefined);
  return given.length === 0 ? fields : { ...fields, action_buttons: given };
}

function buttonAt(buttons: Record<string, unknown>[], index: number): Record<string, unknown> {
  const button = buttons[index] ?? {};
  buttons[index] = button;
  return button;
}

/** A value that is no JSON stays text, and the schema explains what it should be. */
function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
