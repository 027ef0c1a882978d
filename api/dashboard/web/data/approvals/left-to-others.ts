import type { Answer } from '../../../../http-client/client.ts';

/** Of an app: which of its deliveries wait for a second person. */
export type ApprovalRule = Answer<'/api/v1/client/apps/{identifier}', 'get'>['data']['approval'];

/** While an app asks for a second person, whoever wrote something cannot approve it. */
export const isLeftToOthers = (rule: ApprovalRule, authors: readonly string[], email: string): boolean =>
  rule !== 'none' && authors.includes(email);
