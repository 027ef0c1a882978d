import type { FastifyInstance } from 'fastify';
import { plainPage } from '../../plain-page.ts';

const fileOf = (name: string): URL => new URL(`page/${name}`, import.meta.url);

/** The page of an invitation's link: asks for a name and a password. */
export const invitationPage = (app: FastifyInstance): void =>
  plainPage(app, [
    { url: '/invitations', file: fileOf('invitation.html'), type: 'html' },
    { url: '/invitations/page.css', file: fileOf('page.css'), type: 'css' },
    { url: '/invitations/page.js', file: fileOf('page.js'), type: 'js' },
  ]);
