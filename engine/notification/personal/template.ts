import { MOST_OUTPUTS, MOST_PERSONAL_TAGS } from '../../contract/wording.ts';
import { type Expression, evaluate, longestOf, readTemplate, TemplateError } from './grammar.ts';

export const isPersonal = (text: string): boolean => text.includes('{{') || text.includes('{%');

/** What the texts of one delivery read and make of it. */
export class Outputs {
  readonly expressions: string[] = [];
  readonly tags: string[] = [];
  /** The longest that each can become, in UTF-16 code units. */
  readonly units: number[] = [];

  /** @returns its index. @throws TemplateError over a limit. */
  add(expression: Expression, tag: string): number {
    if (!this.tags.includes(tag)) this.tags.push(tag);
    if (this.tags.length > MOST_PERSONAL_TAGS)
      throw new TemplateError(`reads more than ${MOST_PERSONAL_TAGS} tags`);
    const known = this.expressions.indexOf(expression.source);
    if (known !== -1) return known;
    if (this.expressions.length === MOST_OUTPUTS)
      throw new TemplateError(`has more than ${MOST_OUTPUTS} different {{ }}`);
    this.units.push(longestOf(expression));
    return this.expressions.push(expression.source) - 1;
  }
}

const noTags = (): string => '';

/** @param text that `parseTemplate` took. @returns it for a reader without tags. */
export const withoutTags = (text: string): string =>
  readTemplate(text)
    .map((part) => (typeof part === 'string' ? part : evaluate(part, noTags)))
    .join('');

/**
 * @param text `Good morning, {{ tag.name | default: "reader" }}`, as `grammar.ts` has it.
 * @returns its words, and indexes of its outputs.
 * @throws TemplateError on anything else.
 */
export const parseTemplate = (text: string, outputs: Outputs): (string | number)[] =>
  readTemplate(text).map((part) => {
    if (typeof part === 'string') return part;
    // `{{ "{{" }}`: how a text says two braces.
    return part.tag === null ? evaluate(part, noTags) : outputs.add(part, part.tag);
  });
