import type { TLocalizedValidationError } from 'typebox/error';
import { pluralOf } from '../../contract/counted.ts';
import type { FieldErrors } from './problem.ts';

/** Validator errors → field → sentences. A path has dots: `/action_buttons/0/title` → `action_buttons.0.title`. */
export function fieldErrorsOf(errors: readonly TLocalizedValidationError[]): FieldErrors {
  // Without a prototype: a body may name a field `constructor`.
  const found: Record<string, string[]> = Object.create(null);
  for (const { field, words } of errors.flatMap(messagesOf)) {
    const sentence = `The ${field} field ${words}.`;
    const messages = found[field] ?? [];
    if (!messages.includes(sentence)) found[field] = [...messages, sentence];
  }
  return found;
}

interface FieldMessage {
  readonly field: string;
  readonly words: string;
}

function messagesOf(error: TLocalizedValidationError): FieldMessage[] {
  const field = pathOf(error.instancePath);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        field: join(field, name),
        words: 'is required',
      }));
    case 'dependentRequired':
      return error.params.dependencies.map((name) => ({
        field: join(field, name),
        words: `is required when ${error.params.property} is present`,
      }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        field: join(field, name),
        words: 'is not known',
      }));
    case 'propertyNames':
      return [{ field: field || 'body', words: 'has a key that is empty or too long' }];
    case 'boolean':
      // The same key once more, as a value that nothing fits.
      return [];
    default:
      return [{ field: field || 'body', words: wordsOf(error) }];
  }
}

const types: Readonly<Record<string, string>> = {
  string: 'must be a string',
  integer: 'must be an integer',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
  'string,number': 'must be a string or a number',
  'number,null': 'must be a number',
  'array,null': 'must be an array',
  null: 'must be null or left out',
};

/** A pattern in words: people do not read regular expressions. */
export const wordPattern = '^[A-Za-z0-9_-]+$';
const patternWords: Readonly<Record<string, string>> = {
  [wordPattern]: 'must have only letters, digits, dashes and underscores',
  '^[A-Za-z0-9-]+$': 'must have only letters, digits and dashes',
  '^[A-Za-z0-9._-]{1,64}$': 'must have 1 to 64 letters, digits, dots, dashes and underscores',
  '^[A-Za-z0-9_-]{43}$': 'must have 43 letters, digits, dashes and underscores',
  '^[A-Za-z0-9_-]{8,64}$': 'must have 8 to 64 letters, digits, dashes and underscores',
  '^[A-Za-z0-9_-]{0,32}$': 'must have at most 32 letters, digits, dashes and underscores',
  '^[\\x21-\\x7E]+$': 'must have only visible ASCII characters, and no spaces',
  '^[^\\u0000-\\u001f\\u007f]*$': 'must have no control characters',
  '^[^\\u0000-\\u001f\\u007f]+$': 'must have no control characters, and not be empty',
  '^\\s{0,500}[^\\s\\u0000][^\\u0000]*$': 'must have more than spaces, and no NUL character',
  '\\S': 'must have more than spaces',
  '^\\d{4}-\\d{2}-\\d{2}$': 'must be a date such as 2026-01-31',
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$': 'must be a date with its time, such as 2026-01-31T18:30',
  '^([01]\\d|2[0-3]):[0-5]\\d$': 'must be a time such as 18:30',
  '^([1-9]\\d?)-(day|week)$': 'must be a number of 1 to 99 a day or a week, such as 3-day',
  '^[A-Za-z]{2}$': 'must be a code of two letters, such as DE',
  '^[A-Z]{2}$': 'must be a code of two capital letters, such as DE',
  '^#[0-9a-fA-F]{6}$': 'must be a colour such as #1a73e8',
  '^https?://': 'must begin with http:// or https://',
  '^https?://[^/?#@]+$': 'must be a site such as https://news.example, without a path',
  '^[Hh][Tt][Tt][Pp][Ss]?://': 'must begin with http:// or https://',
  '^https://': 'must begin with https://',
  '^https://[^\\s?#@]+': 'must be an address that begins with https://',
  '^[/*]': 'must begin with / or *',
  '^[^@\\s]+@[^@\\s]+$': 'must be an e-mail address',
  '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?([.][A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$':
    'must be a domain such as news.example',
  '^[1-9][0-9]{0,8}\\.[ab]$': 'must be the variant that the prompt came with, such as 12.a',
};

function wordsOf(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'type':
      return types[String(error.params.type)] ?? error.message;
    case 'maxLength':
      return `must not be longer than ${error.params.limit} ${pluralOf(Number(error.params.limit), 'character', 'characters')}`;
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} ${pluralOf(Number(error.params.limit), 'character', 'characters')}`;
    case 'maxItems':
      return `must not have more than ${error.params.limit} ${pluralOf(Number(error.params.limit), 'item', 'items')}`;
    case 'minItems':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} ${pluralOf(Number(error.params.limit), 'item', 'items')}`;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must not be greater than ${error.params.limit}`;
    case 'pattern':
      return patternWords[String(error.params.pattern)] ?? error.message;
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    default:
      return error.message;
  }
}

const pathOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
const join = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`);
