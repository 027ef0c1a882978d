import { type Static, Type } from 'typebox';
import { nullable, nullableTime, timeField } from '../../http/fields.ts';

export const approvalRules = ['none', 'all', 'all_but_breaking'] as const;
export type ApprovalRule = (typeof approvalRules)[number];

/** A setting of an app. */
export const approvalRuleField = Type.Unsafe<ApprovalRule>({
  type: 'string',
  enum: [...approvalRules],
  default: 'none',
  description:
    'Whether another person than its author has to approve what goes to readers: deliveries, corrections and campaigns, ' +
    'from whatever client; items of feeds wait as drafts. `all_but_breaking` exempts the breaking lane. Rehearsals and test ' +
    'sends need none. Admins only, and only where two people may approve; a `PUT` without it keeps it. Should all but one of them leave, an admin can set it to `none`. To an author of the app it is shown as `all`, for what they write waits in any case.',
});

export const approvalStates = ['waiting', 'approved', 'declined'] as const;
export type ApprovalState = (typeof approvalStates)[number];
export const approvalStateField = Type.Unsafe<ApprovalState>({
  type: 'string',
  enum: [...approvalStates],
  description: 'A change sets it back to `waiting`.',
});

const approval = Type.Object(
  {
    state: approvalStateField,
    authors: Type.Array(Type.String(), {
      description: 'Who wrote or changed it, by e-mail address: none of them can approve it.',
    }),
    asked_at: timeField,
    decided_at: nullableTime,
    decided_by: nullable<string>({ type: 'string', description: 'Who approved or declined it.' }),
    note: nullable<string>({ type: 'string', description: 'What they said about it.' }),
    rules: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        'Of its segment as they were approved: what becomes of the segment since changes nothing about whom it reaches. ' +
        'Null: it goes to no segment, or is not approved.',
    }),
  },
  { title: 'Approval' },
);
export type Approval = Static<typeof approval>;

export const approvalField = Type.Union([approval, Type.Null()], {
  description: 'What a second person says of it. Null: it needs none.',
});

export const approvalExample: Approval = {
  state: 'waiting',
  authors: ['ada@example.com'],
  asked_at: '2026-01-31T12:00:00+00:00',
  decided_at: null,
  decided_by: null,
  note: null,
  rules: null,
};

const MAX_NOTE = 1_000;

export const decisionBody = Type.Object(
  {
    decision: Type.Unsafe<'approve' | 'decline'>({
      type: 'string',
      enum: ['approve', 'decline'],
      description:
        '`approve`: it starts at its time, or now where that has passed. `decline`: it waits until it is changed.',
    }),
    version: Type.Integer({
      minimum: 0,
      description:
        'What was read: `changes` of a delivery, `version` of a campaign. Refused with 422 where it was changed since.',
    }),
    note: Type.Optional(Type.String({ maxLength: MAX_NOTE, description: 'For its author.' })),
  },
  { title: 'Decision', examples: [{ decision: 'approve', version: 0 }] },
);
export type DecisionBody = Static<typeof decisionBody>;
