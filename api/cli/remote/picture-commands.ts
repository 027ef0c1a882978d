import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { say } from '../../../engine/kit/command-line/terminal.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, withRemoteOptions } from './connection.ts';

const uses = ['icon', 'badge'] as const;
type Use = (typeof uses)[number];

const texts: Readonly<Record<Use, string>> = {
  icon: 'Sets the picture beside the text of notifications: a square PNG, JPEG or WebP of 192 pixels or more.',
  badge: 'Sets Android’s mark in the status bar: a square PNG with transparency, of 96 pixels or more.',
};

export function addPictureCommands(apps: Command): void {
  for (const use of uses) {
    withRemoteOptions(
      apps
        .command(use)
        .description(texts[use])
        .argument('<app>', 'its identifier')
        .argument('[picture]', 'a file, or an address on https')
        .option('--from-site', 'take the one that the site shows of itself')
        .option('--remove', 'take it away'),
    ).action((app: string, picture: string | undefined, options: PictureOptions) =>
      setPicture(use, app, picture, options),
    );
  }
}

interface PictureOptions extends RemoteOptions {
  readonly fromSite?: boolean;
  readonly remove?: boolean;
}

async function setPicture(
  use: Use,
  identifier: string,
  picture: string | undefined,
  options: PictureOptions,
): Promise<void> {
  const given = [picture !== undefined, options.fromSite === true, options.remove === true];
  if (given.filter(Boolean).length !== 1)
    throw new CliError('name a file or an address, or use --from-site, or --remove');
  const client = connect(options);
  const params = { path: { identifier } };
  const answer =
    picture === undefined || isAddress(picture)
      ? setAddress(client, use, identifier, picture ?? (await addressOf(client, use, identifier, options)))
      : client.POST('/api/v1/client/apps/{identifier}/pictures', {
          params,
          body: { use, file: await fileOf(picture) },
        });
  const { data } = await bodyOf(answer, { file: 'the file' });
  say(options.json, data, data[`${use}_url`] ?? 'none');
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

async function setAddress(
  client: ReturnType<typeof connect>,
  use: Use,
  identifier: string,
  url: string | null,
) {
  const params = { path: { identifier } };
  const { data } = await bodyOf(client.GET('/api/v1/client/apps/{identifier}', { params }));
  const body = { name: data.name, site_domain: data.site_domain, [`${use}_url`]: url };
  return client.PATCH('/api/v1/client/apps/{identifier}', { params, body });
}

/** Null: none, as asked for. */
async function addressOf(
  client: ReturnType<typeof connect>,
  use: Use,
  identifier: string,
  { remove }: PictureOptions,
): Promise<string | null> {
  if (remove === true) return null;
  const params = { path: { identifier } };
  const { data } = await bodyOf(
    client.POST('/api/v1/client/apps/{identifier}/pictures/proposal', { params }),
  );
  const found = data[use];
  if (found === null) throw new CliError(`the site shows no ${use} that would do: name a file`);
  return found.url;
}

async function fileOf(path: string): Promise<string> {
  try {
    return (await readFile(path)).toString('base64');
  } catch (error) {
    throw new CliError(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
}
