import type { FastifyInstance } from 'fastify';
import { plainPage } from '../../plain-page.ts';

const fileOf = (name: string): URL => new URL(`page/${name}`, import.meta.url);

/** Where people ask for a link to a new password, and where it leads. It has the style of the invitation's page. */
export const passwordResetPage = (app: FastifyInstance): void =>
  plainPage(app, [
    { url: '/password-reset', file: fileOf('password-reset.html'), type: 'html' },
    { url: '/password-reset/page.js', file: fileOf('page.js'), type: 'js' },
  ]);
