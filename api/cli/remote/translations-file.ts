import { readFile } from 'node:fs/promises';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { Body } from '../../http-client/client.ts';

type Translations = NonNullable<Body<'/api/v1/client/apps/{identifier}/deliveries', 'post'>['translations']>;

export const translationsOption = [
  '--translations <file>',
  'JSON: [{ "language": "de", "title": "…", "body": "…" }, …], with url, icon_url and action_buttons where they differ',
] as const;

/** What they say is checked by the API. @throws CliError where the file has no list. */
export async function readTranslations(file: string | undefined): Promise<Translations | undefined> {
  if (file === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (Array.isArray(read)) return read;
  } catch (error) {
    throw new CliError(`cannot read the translations ${file}: ${(error as Error).message}`, { cause: error });
  }
  throw new CliError(`${file} has no list: [{ "language": "de", "title": "…", "body": "…" }]`);
}

/** As the API takes those that a delivery has. */
export const givenAgain = (
  translations: readonly {
    readonly language: string;
    readonly title: string;
    readonly body: string;
    readonly url: string | null;
    readonly action_buttons: { title: string; url: string }[] | null;
    readonly icon_url: string | null;
  }[],
): Translations =>
  translations.map(({ url, icon_url, action_buttons, ...each }) => ({
    ...each,
    ...(icon_url === null ? {} : { icon_url }),
    ...(url === null ? {} : { url }),
    ...(action_buttons === null ? {} : { action_buttons }),
  }));
