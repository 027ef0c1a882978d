/** Files travel in a form, and the other fields beside it as text. */
export function formOf(body: object, files: Readonly<Record<string, File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  return form;
}
