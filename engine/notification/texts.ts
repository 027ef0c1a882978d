import { randomBytes } from 'node:crypto';
import type { Slot, Translation, WordedText, Wording } from '../contract/wording.ts';
import {
  buildNotification,
  type NotificationContent,
  type NotificationOrigin,
  type QueryParam,
} from './notification.ts';
import { TemplateError } from './personal/grammar.ts';
import { createRenderText, mostBytes } from './personal/render.ts';
import { isPersonal, Outputs, parseTemplate, withoutTags } from './personal/template.ts';

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
 * The notification in all its languages, with a slot wherever a reader's tag goes.
 * @throws TextRefused on a text that cannot be personal as it is written.
 */
export function buildTexts(
  content: TextsContent,
  origin: NotificationOrigin,
  params: readonly QueryParam[],
): BuiltTexts {
  const outputs = new Outputs();
  const texts = [content, ...content.translations.map((each) => translated(content, each))].map((text, at) =>
    wordedText(text, at === 0 ? '' : `/translations/${at - 1}`),
  );
  const wording: Wording = { texts, outputs: outputs.expressions, tags: outputs.tags };
  const isSame = texts.length === 1 && outputs.expressions.length === 0;
  const plaintext = createRenderText(wording)(0, []);
  if (plaintext === null) throw new TypeError('a text that was just read cannot be read again');
  return {
    plaintext,
    wording: isSame ? null : wording,
    mostBytes: Math.max(...texts.map(({ parts }) => mostBytesOf(parts, outputs.units))),
  };

  function wordedText(text: NotificationContent, path: string): WordedText {
    const marks = createMarks(content.mayBePersonal, outputs);
    const marked = {
      ...text,
      title: marks.text(text.title, `${path}/title`),
      body: marks.text(text.body, `${path}/body`),
      url: marks.address(text.url, `${path}/url`),
      buttons: text.buttons.map(({ title, url }, at) => ({
        title: marks.text(title, `${path}/action_buttons/${at}/title`),
        url: marks.address(url, `${path}/action_buttons/${at}/url`),
      })),
    };
    const plaintext = buildNotification(marked, origin, params).toString();
    return { language: text.language ?? null, parts: marks.split(plaintext) };
  }
}

const translated = (
  content: NotificationContent,
  { language, title, body, url, buttons }: Translation,
): NotificationContent => ({
  ...content,
  ...{ language, title, body, url: url ?? content.url, buttons: buttons ?? content.buttons },
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
