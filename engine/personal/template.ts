import { Output, type Template } from 'liquidjs';
import { MOST_OUTPUT_UNITS, MOST_OUTPUTS, MOST_PERSONAL_TAGS } from '../contract/wording.ts';
import { createLiquid, filterNames } from './liquid.ts';

/** Why a text cannot be personal, in words that follow the name of its field. */
export class TemplateError extends Error {}

const liquid = createLiquid();

export const isPersonal = (text: string): boolean => text.includes('{{') || text.includes('{%');

/** What the texts of one delivery read and make of it. */
export class Outputs {
  readonly expressions: string[] = [];
  readonly tags: string[] = [];
  /** The longest that each can become, in UTF-16 code units. */
  readonly units: number[] = [];

  /** @returns its index. @throws TemplateError over a limit. */
  add(expression: string, tags: readonly string[], units: number): number {
    for (const tag of tags) if (!this.tags.includes(tag)) this.tags.push(tag);
    if (this.tags.length > MOST_PERSONAL_TAGS)
      throw new TemplateError(`reads more than ${MOST_PERSONAL_TAGS} tags`);
    const known = this.expressions.indexOf(expression);
    if (known !== -1) return known;
    if (this.expressions.length === MOST_OUTPUTS)
      throw new TemplateError(`has more than ${MOST_OUTPUTS} different {{ }}`);
    this.units.push(units);
    return this.expressions.push(expression) - 1;
  }
}

/** @param text that `parseTemplate` took. @returns it for a reader without tags. */
export const withoutTags = (text: string): string => String(liquid.parseAndRenderSync(text, { tag: {} }));

/**
 * @param text Liquid: `Good morning, {{ tag.name | default: "reader" }}`. Only tags are known, no logic.
 * @returns its words, and indexes of its outputs.
 * @throws TemplateError on anything else.
 */
export function parseTemplate(text: string, outputs: Outputs): (string | number)[] {
  return readLiquid(text).map((node) => {
    if (!(node instanceof Output)) return liquid.renderSync([node]) as string;
    const tags = liquid.globalVariableSegmentsSync([node]).map(tagOf);
    // `{{ "{{" }}`: how a text says two braces.
    if (tags.length === 0) return String(liquid.renderSync([node]));
    return outputs.add(node.token.getText(), tags, unitsOf(node));
  });
}

function readLiquid(text: string): Template[] {
  try {
    return liquid.parse(text);
  } catch (error) {
    const [why = ''] = (error as Error).message.split(', line:');
    if (why.startsWith('undefined filter'))
      throw new TemplateError(`has a filter that is not known: the known ones are ${filterNames.join(', ')}`);
    if (why.startsWith('tag '))
      throw new TemplateError('has a {% %}, which is not known: write {{ tag.name | default: "reader" }}');
    throw new TemplateError(
      'has {{ that cannot be read: write {{ tag.name | default: "reader" }}, or {{ "{{" }} for two braces',
    );
  }
}

function tagOf(segments: readonly unknown[]): string {
  const [root, key, ...others] = segments;
  if (root !== 'tag' || typeof key !== 'string' || others.length > 0)
    throw new TemplateError(
      `reads ${segments.join('.')}, which is not known: write {{ tag.name }} for a reader’s tag`,
    );
  return key;
}

/** A last filter `truncate: 40` bounds it, dots included. */
function unitsOf({ value: { filters } }: Output): number {
  const last = filters.at(-1);
  const [length] = last?.name === 'truncate' ? last.args : [];
  const content = typeof length === 'object' && 'content' in length ? length.content : null;
  if (typeof content !== 'number' || last?.args.length !== 1) return MOST_OUTPUT_UNITS;
  return Math.min(MOST_OUTPUT_UNITS, Math.max(content, '...'.length));
}
