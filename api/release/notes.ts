/**
 * The part of the change log that is about one version, as notes of its release.
 * @throws Error where the change log has nothing about it.
 */
export function notesOf(changes: string, version: string): string {
  const [, ...parts] = changes.split(/^## /m);
  const part = parts.find((each) => /^\S+(?=,|$)/m.exec(each)?.[0] === version);
  if (part === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version}, DATE"`);
  const [, ...lines] = part.split('\n');
  return `${lines.join('\n').trim()}\n`;
}
