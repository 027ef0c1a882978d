import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { problemSchema, validationProblemSchema } from '../../engine/kit/http/problem.ts';

/** The answers that every client route may give, beside its own. */
const problems = {
  400: problemSchema,
  401: problemSchema,
  403: problemSchema,
  422: validationProblemSchema,
  429: problemSchema,
  503: problemSchema,
} as const;

export const answers = <const Own extends Record<number, TSchema>>(own: Own) => ({ ...problems, ...own });
/** Of routes below an app: it may not exist, or not for the caller. */
export const appAnswers = <const Own extends Record<number, TSchema>>(own: Own) => ({
  ...problems,
  404: problemSchema,
  ...own,
});

export const dataOf = <Resource extends TSchema>(resource: Resource) => Type.Object({ data: resource });
export const security = [{ token: [] }, { session: [] }];
