import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

/** Every answer that is not a success has one of two shapes. */
export const problemSchema = Type.Object(
  { message: Type.String({ description: 'For people.' }) },
  { title: 'Problem' },
);
export const validationProblemSchema = Type.Object(
  {
    message: Type.String({ description: 'For people.' }),
    errors: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Field (a path such as `action_buttons.0.title` where it is nested) to its errors.',
    }),
  },
  { title: 'ValidationProblem' },
);

/** Of a route that refuses by the state of what it is about: then with no fields. */
export const refusalSchema = Type.Object(
  {
    message: problemSchema.properties.message,
    errors: Type.Optional(validationProblemSchema.properties.errors),
  },
  { title: 'StateProblem', examples: [{ message: 'It is in use.' }] },
);

/** Field → messages, in the order they were found. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export const sendNotFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).send({ message: 'Not found.' });

/** The message is the first error in words, and how many more there are. */
export function validationProblem(errors: FieldErrors): { message: string; errors: FieldErrors } {
  const all = Object.values(errors).flat();
  const more = all.length > 1 ? ` (and ${all.length - 1} more ${all.length === 2 ? 'error' : 'errors'})` : '';
  return { message: `${all[0] ?? 'The request is not valid.'}${more}`, errors };
}

export const sendFieldErrors = (reply: FastifyReply, errors: FieldErrors): FastifyReply =>
  reply.code(422).send(validationProblem(errors));

export const sendTooMany = (reply: FastifyReply, retryAfterSeconds: number): FastifyReply =>
  reply
    .code(429)
    .header('retry-after', String(retryAfterSeconds))
    .send({ message: 'Too many requests. Try again later.' });

export const sendUnauthenticated = (reply: FastifyReply): FastifyReply =>
  reply.code(401).header('www-authenticate', 'Bearer').send({ message: 'Unauthenticated.' });
