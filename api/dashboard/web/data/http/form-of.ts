/** A file travels in a form, and the other fields beside it as text. */
export function formOf(body: object, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  form.append('image_url', file);
  return form;
}
