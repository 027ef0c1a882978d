import type { TSchema } from 'typebox';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { MAX_IMAGE_BYTES } from '../../../engine/notification/images/check-image.ts';
import { appBody } from '../../client/apps/schema.ts';
import { categoryBody } from '../../client/delivery-categories/schema.ts';
import { segmentBody } from '../../client/segments/schema.ts';
import { welcomeBody } from '../../client/welcome/schema.ts';
import { promptsBody } from '../../shared/prompts/schema.ts';
import { sealedKey } from './key-box.ts';

/**
 * An exported app, one JSON object per line: the app with its key pairs, its pictures (from version 3 on), its categories, its segments, its prompts and
 * welcome (from version 2 on), its subscriptions, and an end line that shows whether the file is complete.
 */
export const FORMAT_VERSION = 3;
/** Those of releases before are read as well. */
export const OLDEST_VERSION = 1;

const keySchema = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: 32_767 }),
  state: Type.Union([Type.Literal('active'), Type.Literal('retiring'), Type.Literal('ended')]),
  public_key: Type.String({ maxLength: 128 }),
  /** Base64url where it is a text. */
  private_key: Type.Union([Type.String({ maxLength: 128 }), sealedKey]),
});
export type TransferKey = Static<typeof keySchema>;

const headerSchema = Type.Object({
  broadside: Type.Literal('app'),
  version: Type.Integer(),
  identifier: Type.String({ minLength: 1, maxLength: 255, pattern: '^[a-z0-9-]+$' }),
  settings: appBody,
  vapid_keys: Type.Array(keySchema, { minItems: 1, maxItems: 2 }),
});
export type TransferHeader = Static<typeof headerSchema>;

/** Characters, of which four are three bytes. */
export const PICTURE_PIECE = 48_000;
const MOST_PIECES = Math.ceil((MAX_IMAGE_BYTES * 4) / 3 / PICTURE_PIECE);

const pictureSchema = Type.Object({
  picture: Type.Object({
    field: Type.Union([Type.Literal('icon_url'), Type.Literal('badge_url')]),
    /** A piece of it, in base64: a line of the file has at most 64 KB. */
    piece: Type.String({ maxLength: PICTURE_PIECE }),
    /** Pieces that are still to come. */
    left: Type.Integer({ minimum: 0, maximum: MOST_PIECES - 1 }),
  }),
});
export type TransferPicture = Static<typeof pictureSchema>['picture'];

const categorySchema = Type.Object({ category: Type.Object({ id: Type.Integer(), body: categoryBody }) });
export type TransferCategory = Static<typeof categorySchema>['category'];

const segmentSchema = Type.Object({ segment: segmentBody });
export type TransferSegment = Static<typeof segmentSchema>['segment'];

const promptsSchema = Type.Object({
  prompts: Type.Object({ settings: promptsBody, round: Type.Integer({ minimum: 1 }) }),
});
export type TransferPrompts = Static<typeof promptsSchema>['prompts'];

const welcomeSchema = Type.Object({ welcome: welcomeBody });

const endSchema = Type.Object({ broadside: Type.Literal('end'), subscriptions: Type.Integer() });

const check = <Schema extends TSchema>(schema: Schema) => {
  const validator = Compile(schema as TSchema);
  return (value: unknown): Static<Schema> | null =>
    validator.Check(value) ? (value as Static<Schema>) : null;
};

export const readHeader = check(headerSchema);
export const readPicture = check(pictureSchema);
export const readCategory = check(categorySchema);
export const readSegment = check(segmentSchema);
export const readPrompts = check(promptsSchema);
export const readWelcome = check(welcomeSchema);
export const readEnd = check(endSchema);
