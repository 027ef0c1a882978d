/** What a reader without tags sees, for drawings; the API reads it properly. */
export const withoutTags = (text: string): string =>
  text
    .replaceAll(/\{\{\s*tag[^{}]*\bdefault:\s*"([^"]*)"[^{}]*\}\}/g, '$1')
    .replaceAll(/\{\{\s*"([^"]*)"\s*\}\}/g, '$1')
    .replaceAll(/\{\{\s*tag\b[^{}]*\}\}/g, '');
