const escaped = (text: string, quote: string): string =>
  `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;

/** A text as it stands in a statement, for what takes no parameter. */
export const literal = (text: string): string => escaped(text, "'");
/** A name of whatever letters, such as a file's column. */
export const identifier = (name: string): string => escaped(name, '`');
