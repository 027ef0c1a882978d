/** Without the signs of this kind at its end: `a//` → `a`. A pattern would start again at each of them. */
export function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (text[end - 1] === sign) end--;
  return text.slice(0, end);
}
