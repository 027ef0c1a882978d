/**
 * A text as a CSV may hold it: spreadsheets run a cell with such a first character as a formula, whatever
 * quotes are around it (OWASP, CSV injection), and an apostrophe before it makes them show it. Only CSV: other
 * formats have types.
 * @param expression SQL of a String.
 */
export const withoutFormula = (expression: string): string =>
  `if(match(${expression}, '^[=+\\\\-@\\\\t\\\\r\\\\n]'), concat('\\'', ${expression}), ${expression})`;
