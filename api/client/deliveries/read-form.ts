import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { convertText } from '../../../engine/adapters/http/convert-text.ts';
import { InvalidRequest } from '../../../engine/adapters/http/validation.ts';
import { MAX_IMAGE_BYTES, tooLarge } from '../../../engine/images/check-image.ts';
import { formFields } from './form-fields.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The file that came as `image_url` in a form; null for any other request. */
    upload: Buffer | null;
  }
}

/** A delivery has 18 fields; buttons may come as four fields more. */
export const formLimits = {
  fieldNameSize: 100,
  fieldSize: 16_384,
  fields: 32,
  files: 1,
  parts: 33,
  headerPairs: 16,
  fileSize: MAX_IMAGE_BYTES,
} as const;

/** All fields at their limit and the file. */
const MAX_FORM_BYTES = MAX_IMAGE_BYTES + formLimits.fields * formLimits.fieldSize;

interface Form {
  readonly texts: Map<string, unknown>;
  readonly errors: Record<string, string[]>;
  upload: Buffer | null;
}

/**
 * A form has the fields of the JSON body, as text, and the image as a file. This makes it the same body, to be
 * checked by the same schema.
 * @throws InvalidRequest on a file that is too large, or in a field that takes none.
 */
export const createReadForm =
  (body: TSchema) =>
  async (request: FastifyRequest): Promise<void> => {
    if (!request.isMultipart()) return;
    // Before a byte is read: the rest of the form is bounded, so it is the image that makes it this long.
    if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) {
      throw new InvalidRequest({ image_url: [`The image_url field ${tooLarge.words}.`] }, false);
    }
    const form = await readParts(request);
    if (Object.keys(form.errors).length > 0) throw new InvalidRequest(form.errors, false);
    request.upload = form.upload;
    request.body = convertText(body, formFields(form.texts));
  };

async function readParts(request: FastifyRequest): Promise<Form> {
  const form: Form = { texts: new Map(), errors: {}, upload: null };
  try {
    // To the end, whatever is wrong: an unread part would hold up the connection.
    for await (const part of request.parts()) await readPart(form, part);
  } catch (error) {
    // The parser's own errors have no status, or one that fits no answer of ours.
    const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
    throw Object.assign(new Error('unreadable form'), { statusCode: statusCode === 413 ? 413 : 400, code });
  }
  return form;
}

async function readPart(form: Form, part: Multipart): Promise<void> {
  const { fieldname: name } = part;
  if (part.type === 'file') return readFile(form, part);
  if (part.valueTruncated) form.errors[name] = [`The ${name} field is too long.`];
  else form.texts.set(name, part.value);
}

async function readFile(form: Form, part: MultipartFile): Promise<void> {
  const { fieldname: name, filename } = part;
  const bytes = await part.toBuffer();
  // A browser's part for a file field that was left empty.
  if (bytes.length === 0 && filename === '') return;
  if (name !== 'image_url') form.errors[name] = [`The ${name} field must not be a file.`];
  else if (part.file.truncated) form.errors[name] = [`The ${name} field ${tooLarge.words}.`];
  else form.upload = bytes;
}
