import type { Answer } from '../../../http-client/client.ts';
import { Problem } from '../data/http/problem.ts';

/** Within a day a story is sent twice by mistake more often than on purpose. */
export const GUARD_HOURS = 24;

type Path = '/api/v1/client/apps/{identifier}/deliveries';
/** The earlier delivery that says or leads to the same. */
export type Earlier = Answer<Path, 'post', 409>['duplicate'];

/** Null: the API asked for no confirmation. */
export const earlierOf = (error: unknown): Earlier | null =>
  error instanceof Problem && error.status === 409
    ? ((error.answer as { readonly duplicate?: Earlier }).duplicate ?? null)
    : null;
