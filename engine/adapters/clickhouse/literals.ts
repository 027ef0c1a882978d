const escaped = (text: string, quote: string): string =>
  `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;

/** A text literal, for statements that take no parameter. */
export const literal = (text: string): string => escaped(text, "'");
/** A name with any characters, such as a file's column. */
export const identifier = (name: string): string => escaped(name, '`');
