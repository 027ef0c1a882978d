// tier: core
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocument, root } from './markdown.ts';

/** What is written to survive its owner, by table or column, and is not on the page. */
const states = [
  'frozen_reaches',
  'delivery_paces',
  'push_service_standings',
  'push_service_minutes',
  'removed_apps',
  'accepted_endpoints',
  'failing_endpoints',
  'subscription_prunings',
  'reader_wishes',
  'forgotten_subscriptions',
  'erasure_parts',
  'erasures',
  'approvals',
  'authors',
  'approved_rules',
  'next_step_at',
  'app_grants',
  'welcomes',
  'prompt_counts',
  'alert_sends',
  'half_log_ins',
  'provider_log_ins',
  'passkey_challenges',
  'letters',
  'webhook_messages',
  'ad_loads',
  'ad_restated',
  'broadside_restore',
] as const;

const phrase = 'If its owner';

/** Comments as one line each, so that a phrase may be broken. */
const commentsOf = (code: string): string[] =>
  (code.match(/\/\*\*[\s\S]*?\*\//g) ?? []).map((comment) => comment.replaceAll(/\s+\*\s+|\s+/g, ' '));

const saysWhatHappens = (comment: string, state: string): boolean =>
  comment.includes(phrase) && new RegExp(`\`(\\w+\\.)?${state}\``).test(comment);

const sources = execFileSync('git', ['ls-files', '-z', 'engine', 'api', 'reporting'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file.endsWith('.ts'));

describe('the owner of a state', () => {
  const comments = sources.flatMap((file) => commentsOf(readFileSync(join(root, file), 'utf8')));

  it('is named next to the code that writes the state, with what happens if it dies', () => {
    const missing = states.filter((state) => !comments.some((comment) => saysWhatHappens(comment, state)));
    expect(missing).toEqual([]);
    expect(saysWhatHappens('/** A letter lives in `letters`. */', 'letters')).toBe(false);
    expect(saysWhatHappens('/** If its owner dies, it is sent again. */', 'letters')).toBe(false);
  });

  it('is found by the phrase that the page gives', () => {
    expect(readDocument('engine/ARCHITECTURE.md')).toContain(`grep -rn "${phrase}"`);
  });
});
