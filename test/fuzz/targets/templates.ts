import fc from 'fast-check';
import { MOST_OUTPUT_UNITS } from '../../../engine/contract/wording.ts';
import {
  evaluate,
  longestOf,
  readTemplate,
  TemplateError,
} from '../../../engine/notification/personal/grammar.ts';
import { tagValues, templates } from '../../notification/personal/templates.ts';
import { type FuzzTarget, MOST_MS, within } from '../target.ts';

const MOST_MS_OF_AN_OUTPUT = 1;

/** Null where the grammar does not have it. */
export function readOrNull(text: string): ReturnType<typeof readTemplate> | null {
  try {
    return readTemplate(text);
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** @param onRendered called for each output that was written. */
export const rendersEverything = (onRendered: () => void = () => {}) =>
  fc.property(templates, tagValues, tagValues, (text, a, b) => {
    for (const part of within(MOST_MS, () => readOrNull(text)) ?? []) {
      if (typeof part === 'string') continue;
      const tagValue = (tag: string): string => (tag === 'a' ? a : b);
      const made = within(MOST_MS_OF_AN_OUTPUT, () => evaluate(part, tagValue));
      if (made.length > Math.min(longestOf(part), MOST_OUTPUT_UNITS))
        throw new Error(`${part.source} became ${made.length} characters`);
      onRendered();
    }
  });

export const templatesTarget: FuzzTarget = {
  name: 'templates',
  holds: 'what is read is written for any tags: no throw, in its length, within 1 ms',
  property: rendersEverything(),
};
