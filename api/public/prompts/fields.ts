import { Type } from 'typebox';

export const promptVariantField = Type.String({
  maxLength: 11,
  pattern: '^[1-9][0-9]{0,8}\\.[ab]$',
  description: 'The prompt that the reader said yes to: `round.variant`, as `GET /public/prompts` has them.',
});
