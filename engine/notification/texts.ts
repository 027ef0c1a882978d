import { randomBytes } from 'node:crypto';
import { type Face, noFace } from '../contract/face.ts';
import type { Slot, Translation, WordedText, Wording } from '../contract/wording.ts';
import {
  buildNotification,
  MAX_PLAINTEXT_BYTES,
  type NotificationContent,
  type NotificationOrigin,
  type QueryParam,
} from './notification.ts';
import { TemplateError } from './personal/grammar.ts';
import { createRenderText, mostBytes } from './personal/render.ts';
import { isPersonal, Outputs, parseTemplate, withoutTags } from './personal/template.ts';
import { type Shortening, type SizedField, shortenings } from './shorten.ts';

export interface TextsContent extends NotificationContent {
  readonly translations: readonly Translation[];
  /** Whether `{{ tag.name }}` stands for a reader's tag; what a feed says is not a publisher's to write. */
  readonly mayBePersonal: boolean;
}

export interface BuiltTexts {
  /** The main text, as a reader without any tags gets it. */
  readonly plaintext: Buffer;
  /** Null: everyone gets `plaintext`. */
  readonly wording: Wording | null;
  /** The most that it can take for any reader. */
  readonly mostBytes: number;
  /** Where that is more than push services take. */
  readonly shorten: readonly Shortening[];
}

/** Thrown where a text cannot be what it is meant to be, with the JSON pointer of the field that has to be fixed. */
export class TextRefused extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * The notification in all its languages, with a slot wherever a reader's tag goes. What it says comes first: where there is
 * no room beside it, the app's badge is left out, and then the app's icon.
 * @throws TextRefused on a text that cannot be personal as it is written.
 */
export function buildTexts(
  content: TextsContent,
  origin: NotificationOrigin,
  params: readonly QueryParam[],
  atMs = Date.now(),
): BuiltTexts {
  const built = buildAll(content, origin, params, atMs);
  const face = built.mostBytes > MAX_PLAINTEXT_BYTES ? plainer(content.face ?? noFace) : null;
  return face === null ? built : buildTexts({ ...content, face }, origin, params, atMs);
}

/** Null: nothing is left to leave out. */
function plainer(face: Face): Face | null {
  if (face.badge !== null) return { ...face, badge: null };
  return face.icon === null ? null : { ...face, icon: null };
}

function buildAll(
  content: TextsContent,
  origin: NotificationOrigin,
  params: readonly QueryParam[],
  atMs: number,
): BuiltTexts {
  const outputs = new Outputs();
  const main = wordedText(content, fieldsOf(null, ''));
  const others = content.translations.map((each, at) =>
    wordedText(translated(content, each), fieldsOf(each, `/translations/${at}`)),
  );
  const built = [main, ...others];
  const wording: Wording = {
    texts: built.map(({ text }) => text),
    outputs: outputs.expressions,
    tags: outputs.tags,
  };
  const isSame = built.length === 1 && outputs.expressions.length === 0;
  const plaintext = createRenderText(wording)(0, []);
  if (plaintext === null) throw new TypeError('a text that was just read cannot be read again');
  const sizes = built.map(({ text }) => mostBytesOf(text.parts, outputs.units));
  const mostBytes = Math.max(...sizes);
  const longest = built[sizes.indexOf(mostBytes)] ?? main;
  const excess = mostBytes - MAX_PLAINTEXT_BYTES;
  return {
    ...{ plaintext, wording: isSame ? null : wording, mostBytes },
    shorten: excess > 0 ? shortenings(longest.sizes(), excess) : [],
  };

  function wordedText(text: NotificationContent, fields: FieldsOfText): Built {
    const marks = createMarks(content.mayBePersonal, outputs);
    const marked = {
      ...text,
      title: marks.text(text.title, fields.title),
      body: marks.text(text.body, fields.body),
      url: marks.address(text.url, fields.url),
      buttons: text.buttons.map(({ title, url }, at) => ({
        title: marks.text(title, `${fields.buttons}/${at}/title`),
        url: marks.address(url, `${fields.buttons}/${at}/url`),
      })),
    };
    const plaintext = buildNotification(marked, origin, params, atMs).toString();
    const sizeOf = (written: string): number =>
      mostBytesOf(marks.split(JSON.stringify(written).slice(1, -1)), outputs.units);
    return {
      text: { language: text.language ?? null, parts: marks.split(plaintext) },
      sizes: () => [
        { field: fields.title, bytes: sizeOf(marked.title), leastBytes: 1 },
        { field: fields.body, bytes: sizeOf(marked.body), leastBytes: 1 },
        { field: fields.url, bytes: sizeOf(marked.url), leastBytes: hostBytes(text.url) },
        ...marked.buttons.flatMap(({ title, url }, at) => [
          { field: `${fields.buttons}/${at}/title`, bytes: sizeOf(title), leastBytes: 1 },
          { field: `${fields.buttons}/${at}/url`, bytes: sizeOf(url), leastBytes: hostBytes(url) },
        ]),
      ],
    };
  }
}

interface Built {
  readonly text: WordedText;
  readonly sizes: () => SizedField[];
}

/** JSON pointers: what a translation does not say itself is the main text's. */
interface FieldsOfText {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly buttons: string;
}

const fieldsOf = (own: Translation | null, path: string): FieldsOfText => ({
  title: `${path}/title`,
  body: `${path}/body`,
  url: own?.url === null ? '/url' : `${path}/url`,
  buttons: own?.buttons === null ? '/action_buttons' : `${path}/action_buttons`,
});

/** Of an address everything behind its host can be shortened. */
const hostBytes = (url: string): number => Buffer.byteLength(/^https?:\/\/[^/?#{]*/i.exec(url)?.[0] ?? '');

const translated = (
  content: NotificationContent,
  { language, title, body, url, buttons, iconUrl }: Translation,
): NotificationContent => ({
  ...content,
  ...{ language, title, body, url: url ?? content.url, buttons: buttons ?? content.buttons },
  iconUrl: iconUrl ?? content.iconUrl ?? null,
});

const mostBytesOf = (parts: WordedText['parts'], units: readonly number[]): number =>
  parts
    .map((part) =>
      typeof part === 'string' ? Buffer.byteLength(part) : mostBytes(part[1], units[part[0]] ?? 0),
    )
    .reduce((sum, bytes) => sum + bytes, 0);

/** Holds the place of each output while the notification is built around it: a word that no text has by chance. */
function createMarks(mayBePersonal: boolean, outputs: Outputs) {
  const nonce = randomBytes(12).toString('hex');

  function marked(text: string, field: string, kind: Slot[1]): string {
    if (!mayBePersonal || !isPersonal(text)) return text;
    try {
      const parts = parseTemplate(text, outputs);
      if (withoutTags(text).trim() === '')
        throw new TemplateError(
          'is empty for readers without the tag: write {{ tag.name | default: "reader" }}',
        );
      return parts
        .map((part) => (typeof part === 'string' ? part : `${nonce}${part}${kind}${nonce}`))
        .join('');
    } catch (error) {
      if (error instanceof TemplateError) throw new TextRefused(field, error.message);
      throw error;
    }
  }

  return {
    text: (text: string, field: string): string => marked(text, field, 'text'),
    /** Where a click leads is the publisher's to say: a tag may stand in the path and behind it. */
    address(url: string, field: string): string {
      if (mayBePersonal && isPersonal(url) && !/^https?:\/\/[^/?#{]+[/?#]/i.test(url))
        throw new TextRefused(field, 'must have its host before the first {{');
      return marked(url, field, 'address');
    },
    split(plaintext: string): WordedText['parts'] {
      const pieces = plaintext.split(new RegExp(`${nonce}(\\d+)(text|address)${nonce}`));
      const parts: WordedText['parts'] = [];
      for (let at = 0; at < pieces.length; at += 3) {
        const [words = '', output, kind] = pieces.slice(at, at + 3);
        if (words !== '') parts.push(words);
        if (output !== undefined) parts.push([Number(output), kind as Slot[1]]);
      }
      return parts;
    },
  };
}
