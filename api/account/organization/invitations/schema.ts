import { Type } from 'typebox';
import { nullable, shortText, timeField } from '../../../http/fields.ts';
import {
  emailField,
  grantsField,
  newPasswordField,
  organizationField,
  roleField,
  roleWords,
} from '../../fields.ts';
import { linkExample, linkField } from '../../log-in/password-by-link.ts';

const invitationExample = {
  id: 4,
  email: 'grace@example.com',
  role: 'member',
  grants: [],
  created_at: '2026-01-31T12:00:00+00:00',
  expires_at: '2026-02-07T12:00:00+00:00',
};

const invitationFields = {
  id: Type.Integer(),
  email: Type.String(),
  role: roleField('The role that the invited person gets.'),
  grants: grantsField('The roles on single apps that the person gets.'),
  created_at: timeField,
  expires_at: timeField,
};
export const invitationSchema = Type.Object(invitationFields, {
  title: 'Invitation',
  examples: [invitationExample],
});
export const newInvitationSchema = Type.Object(
  {
    ...invitationFields,
    url: nullable<string>({
      type: 'string',
      format: 'uri',
      description:
        'The link to pass on: shown in this answer and never again, good for one use within 7 days. Null: it goes by e-mail alone.',
    }),
    mailed: Type.Boolean({ description: 'Whether an e-mail with the link is on its way.' }),
  },
  {
    title: 'NewInvitation',
    examples: [
      { ...invitationExample, url: `https://push.example.com/invitations#${linkExample}`, mailed: false },
    ],
  },
);

export const invitationBody = Type.Object(
  {
    email: emailField('The invited person’s address.'),
    role: roleField(`Not above your own. ${roleWords}`),
    grants: Type.Optional(grantsField('Roles on single apps. Absent: none.')),
    organization_id: organizationField,
  },
  { title: 'Invite', examples: [{ email: invitationExample.email, role: invitationExample.role }] },
);

export const openBody = Type.Object(
  { invitation: linkField },
  { title: 'OpenInvitationByLink', examples: [{ invitation: linkExample }] },
);
export const openSchema = Type.Object(
  {
    email: Type.String(),
    role: roleField('The role that the invited person gets.'),
    organization: Type.String({ description: 'Its name.' }),
    expires_at: timeField,
  },
  {
    title: 'OpenInvitation',
    examples: [
      {
        email: invitationExample.email,
        role: invitationExample.role,
        organization: 'Example News',
        expires_at: invitationExample.expires_at,
      },
    ],
  },
);

export const acceptBody = Type.Object(
  { invitation: linkField, name: shortText('The name of the person.'), password: newPasswordField },
  {
    title: 'AcceptInvitation',
    examples: [{ invitation: linkExample, name: 'Grace', password: 'a long line that only Grace knows' }],
  },
);
