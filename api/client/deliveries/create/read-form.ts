import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { checkCharset, NotUtf8, readUtf8 } from '../../../../engine/kit/http/utf8.ts';
import { InvalidRequest } from '../../../../engine/kit/http/validation.ts';
import { MAX_IMAGE_BYTES, tooLarge } from '../../../../engine/notification/images/check-image.ts';
import { type FormText, formFields } from './form-fields.ts';
import { type FileField, fileFields, type Uploads } from './uploads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The files that came in a form; null for any other request. */
    uploads: Uploads | null;
  }
}

/** A delivery has 24 fields; buttons may come as four fields more, and two translations as seven each. */
const MOST_PARTS = 42;
const MOST_TEXT_BYTES = 16_384;

/** Every part is read byte by byte, as a file is: the parser would read texts leniently. */
export const formOptions = {
  isPartAFile: () => true,
  limits: { files: MOST_PARTS, parts: MOST_PARTS, headerPairs: 16, fileSize: MAX_IMAGE_BYTES },
  throwFileSizeLimit: false,
};

const isFileField = (name: string): name is FileField => (fileFields as readonly string[]).includes(name);

/** All texts at their limit and the files. */
const MAX_FORM_BYTES = fileFields.length * MAX_IMAGE_BYTES + MOST_PARTS * MOST_TEXT_BYTES;

interface Form {
  readonly texts: FormText[];
  readonly errors: Record<string, string[]>;
  readonly uploads: { [field in FileField]?: Buffer };
  /** What makes the form unreadable as a whole; the rest of it is read all the same. */
  broken: Error | null;
}

/**
 * A form has the fields of the JSON body, as text, and the image and the icon as files. This makes it the same body, to be
 * checked by the same schema.
 * @throws InvalidRequest on a file that is too large, or in a field that takes none.
 */
export const createReadForm =
  (body: TSchema) =>
  async (request: FastifyRequest): Promise<void> => {
    if (!request.isMultipart()) return;
    // Before a byte is read: the rest of the form is bounded, so it is an image that makes it this long.
    if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) {
      throw new InvalidRequest({ image_url: [`The image_url field ${tooLarge.words}.`] }, false);
    }
    checkCharset(request.headers['content-type']);
    const form = await readParts(request);
    if (form.broken !== null) throw form.broken;
    const { fields, errors } = formFields(body, form.texts);
    const all: FieldErrors = { ...form.errors, ...errors };
    if (Object.keys(all).length > 0) throw new InvalidRequest(all, false);
    request.uploads = form.uploads;
    request.body = fields;
  };

async function readParts(request: FastifyRequest): Promise<Form> {
  const form: Form = { texts: [], errors: {}, uploads: {}, broken: null };
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
  // All parts are.
  if (part.type !== 'file') return;
  // The parser's own sign for bytes that are not UTF-8.
  if (`${part.fieldname}${part.filename ?? ''}`.includes('\u{FFFD}')) form.broken = new NotUtf8();
  return isText(part) ? readText(form, part) : readFile(form, part);
}

/** JSON too where a script gave it as a file. */
const isText = ({ filename, mimetype }: MultipartFile): boolean =>
  mimetype === JSON_TYPE || (filename === undefined && mimetype !== 'application/octet-stream');

const JSON_TYPE = 'application/json';

async function readText(form: Form, { fieldname: name, file, mimetype }: MultipartFile): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MOST_TEXT_BYTES) chunks.push(chunk);
  }
  if (bytes > MOST_TEXT_BYTES) {
    form.errors[name] = [`The ${name} field is too long.`];
    return;
  }
  try {
    const text = readUtf8(Buffer.concat(chunks));
    form.texts.push({ name, value: mimetype === JSON_TYPE ? JSON.parse(text) : text });
  } catch (error) {
    form.broken = error instanceof NotUtf8 ? error : Object.assign(new Error('no JSON'), { statusCode: 400 });
  }
}

async function readFile(form: Form, part: MultipartFile): Promise<void> {
  const { fieldname: name, filename } = part;
  const bytes = await part.toBuffer();
  // A browser's part for a file field that was left empty.
  if (bytes.length === 0 && filename === '') return;
  if (!isFileField(name)) form.errors[name] = [`The ${name} field must not be a file.`];
  else if (part.file.truncated) form.errors[name] = [`The ${name} field ${tooLarge.words}.`];
  else if (form.uploads[name] !== undefined)
    form.broken = Object.assign(new Error('two images'), { statusCode: 413 });
  else form.uploads[name] = bytes;
}
