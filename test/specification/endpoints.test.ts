import { afterAll, describe, expect, it } from 'vitest';
import { createWorld } from '../generated/world.ts';

const world = await createWorld();
afterAll(() => world.api.close());

const registered = new Map(
  world.routes
    .filter(({ hidden }) => !hidden)
    .map(({ name, ability }) => [name.replaceAll(/:(\w+)/g, '{$1}'), ability]),
);

type Row = readonly [method: string, path: string, ability: string | null];

/** The tables under “Endpoints” of the specification, row by row. */
const specified: readonly Row[] = [
  ['GET', '/client/apps', 'apps:read'],
  ['GET', '/client/apps/{identifier}', 'apps:read'],
  ['POST', '/client/apps', 'apps:write'],
  ['PUT', '/client/apps/{identifier}', 'apps:write'],
  ['PATCH', '/client/apps/{identifier}', 'apps:write'],
  ['DELETE', '/client/apps/{identifier}', 'apps:write'],
  ['GET', '/client/apps/{identifier}/subscriptions', 'subscriptions:read'],
  ['GET', '/client/apps/{identifier}/subscriptions/{subscription_id}', 'subscriptions:read'],
  ['DELETE', '/client/apps/{identifier}/subscriptions/{subscription_id}', 'subscriptions:write'],
  ['POST', '/client/apps/{identifier}/subscriptions/{subscription_id}/tags', 'subscriptions:write'],
  ['GET', '/client/apps/{identifier}/deliveries', 'deliveries:read'],
  ['GET', '/client/apps/{identifier}/deliveries/{delivery_id}', 'deliveries:read'],
  ['POST', '/client/apps/{identifier}/deliveries', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/deliveries/{delivery_id}/cancel', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/analytics/overview', 'analytics:read'],
  ['GET', '/client/apps/{identifier}/analytics/subscribers', 'analytics:read'],
  ['GET', '/client/apps/{identifier}/analytics/deliveries', 'analytics:read'],
  ['GET', '/client/apps/{identifier}/analytics/engagement', 'analytics:read'],
  ['POST', '/public/subscribe', null],
  ['POST', '/public/update_subscription', null],
  ['POST', '/public/subscription-tags', null],
];

/** Beyond the specification, each one on purpose. */
const additions: readonly Row[] = [
  ['DELETE', '/client/apps/{identifier}/subscriptions/{subscription_id}/tags/{key}', 'subscriptions:write'],
  [
    'GET',
    '/client/apps/{identifier}/deliveries/{delivery_id}/subscriptions/{subscription_id}',
    'deliveries:read',
  ],
  ['GET', '/client/apps/{identifier}/deliveries/{delivery_id}/progress', 'deliveries:read'],
  ['GET', '/client/apps/{identifier}/analytics/funnel', 'analytics:read'],
  ['GET', '/client/apps/{identifier}/analytics/push-services', 'analytics:read'],
  ['GET', '/client/apps/{identifier}/analytics/reachability', 'analytics:read'],
  ['POST', '/client/apps/{identifier}/home-screen-check', 'apps:read'],
  ['GET', '/client/apps/{identifier}/unreachable', 'subscriptions:read'],
  ['GET', '/client/apps/{identifier}/standing', 'apps:read'],
  ['GET', '/client/apps/{identifier}/standing/readers', 'analytics:read'],
  ['POST', '/client/apps/{identifier}/standing/near-limit', 'subscriptions:read'],
  ['GET', '/client/apps/{identifier}/welcome', 'deliveries:read'],
  ['PUT', '/client/apps/{identifier}/welcome', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/prompts', 'apps:read'],
  ['PUT', '/client/apps/{identifier}/prompts', 'apps:write'],
  ['GET', '/client/apps/{identifier}/prompts/results', 'analytics:read'],
  ['GET', '/client/apps/{identifier}/analytics/revenue', 'analytics:read'],
  ['GET', '/client/apps/{identifier}/subscriptions/{subscription_id}/same-person', 'subscriptions:read'],
  [
    'POST',
    '/client/apps/{identifier}/subscriptions/{subscription_id}/preferences-link',
    'subscriptions:write',
  ],
  ['GET', '/client/apps/{identifier}/calendar', 'deliveries:read'],
  ['POST', '/client/apps/{identifier}/people/export', 'subscriptions:write'],
  ['POST', '/client/apps/{identifier}/people/erase', 'subscriptions:write'],
  ['GET', '/client/apps/{identifier}/people/erasures/{erasure_id}', 'subscriptions:write'],
  ['GET', '/client/apps/{identifier}/drafts', 'deliveries:read'],
  ['POST', '/client/apps/{identifier}/drafts', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/drafts/{draft_id}', 'deliveries:read'],
  ['PUT', '/client/apps/{identifier}/drafts/{draft_id}', 'deliveries:write'],
  ['DELETE', '/client/apps/{identifier}/drafts/{draft_id}', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/test-browsers', 'deliveries:read'],
  ['POST', '/client/apps/{identifier}/test-browsers', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/test-browsers/link', 'deliveries:write'],
  ['PATCH', '/client/apps/{identifier}/test-browsers/{test_browser_id}', 'deliveries:write'],
  ['DELETE', '/client/apps/{identifier}/test-browsers/{test_browser_id}', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/deliveries/test', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/deliveries/{delivery_id}/test-results', 'deliveries:read'],
  ['GET', '/client/apps/{identifier}/campaigns', 'deliveries:read'],
  ['POST', '/client/apps/{identifier}/campaigns', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/campaigns/{campaign_id}', 'deliveries:read'],
  ['PUT', '/client/apps/{identifier}/campaigns/{campaign_id}', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/deliveries/{delivery_id}/correction', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/deliveries/{delivery_id}/approval', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/campaigns/{campaign_id}/approval', 'deliveries:write'],
  ['PATCH', '/client/apps/{identifier}/deliveries/{delivery_id}', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/deliveries/{delivery_id}/versions', 'deliveries:read'],
  ['POST', '/client/apps/{identifier}/campaigns/{campaign_id}/cancel', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/campaigns/{campaign_id}/winner', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/campaigns/preview', 'deliveries:read'],
  ['GET', '/client/apps/{identifier}/campaigns/{campaign_id}/items', 'deliveries:read'],
  ['POST', '/client/apps/{identifier}/campaigns/{campaign_id}/items/{item_id}/approve', 'deliveries:write'],
  ['POST', '/client/apps/{identifier}/campaigns/{campaign_id}/items/{item_id}/dismiss', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/segments', 'subscriptions:read'],
  ['POST', '/client/apps/{identifier}/segments', 'subscriptions:write'],
  ['GET', '/client/apps/{identifier}/segments/{segment_id}', 'subscriptions:read'],
  ['PUT', '/client/apps/{identifier}/segments/{segment_id}', 'subscriptions:write'],
  ['PATCH', '/client/apps/{identifier}/segments/{segment_id}', 'subscriptions:write'],
  ['DELETE', '/client/apps/{identifier}/segments/{segment_id}', 'subscriptions:write'],
  ['POST', '/client/apps/{identifier}/segments/preview', 'subscriptions:read'],
  ['POST', '/client/apps/{identifier}/deliveries/proposal', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/delivery-categories', 'deliveries:read'],
  ['POST', '/client/apps/{identifier}/delivery-categories', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/delivery-categories/{category_id}', 'deliveries:read'],
  ['PUT', '/client/apps/{identifier}/delivery-categories/{category_id}', 'deliveries:write'],
  ['PATCH', '/client/apps/{identifier}/delivery-categories/{category_id}', 'deliveries:write'],
  ['DELETE', '/client/apps/{identifier}/delivery-categories/{category_id}', 'deliveries:write'],
  ['GET', '/client/apps/{identifier}/vapid-keys', 'apps:read'],
  ['POST', '/client/apps/{identifier}/vapid-keys', 'apps:write'],
  ['DELETE', '/client/apps/{identifier}/vapid-keys/{key_id}', 'apps:write'],
  ['GET', '/client/webhooks', 'deliveries:read'],
  ['POST', '/client/webhooks', 'deliveries:write'],
  ['GET', '/client/webhooks/{webhook_id}', 'deliveries:read'],
  ['PATCH', '/client/webhooks/{webhook_id}', 'deliveries:write'],
  ['DELETE', '/client/webhooks/{webhook_id}', 'deliveries:write'],
  ['POST', '/client/webhooks/{webhook_id}/rotate-secret', 'deliveries:write'],
  ['POST', '/client/webhooks/{webhook_id}/ping', 'deliveries:write'],
  ['GET', '/client/webhooks/{webhook_id}/messages', 'deliveries:read'],
  ['POST', '/client/webhooks/{webhook_id}/messages/{message_id}/replay', 'deliveries:write'],
  ['POST', '/public/beacon', null],
  ['POST', '/public/test-browser', null],
  ['POST', '/public/preferences', null],
  ['GET', '/public/app', null],
  ['GET', '/public/prompts', null],
  ['POST', '/public/prompt-event', null],
  ['POST', '/account/log-in', null],
  ['POST', '/account/log-out', null],
  ['POST', '/account/log-in/code', null],
  ['POST', '/account/me/second-factor', null],
  ['POST', '/account/me/second-factor/confirm', null],
  ['POST', '/account/me/second-factor/recovery-codes', null],
  ['POST', '/account/me/second-factor/remove', null],
  ['GET', '/account/second-factor', null],
  ['PUT', '/account/second-factor', null],
  ['DELETE', '/account/users/{user_id}/second-factor', null],
  ['POST', '/account/password-reset', null],
  ['POST', '/account/password-reset/open', null],
  ['POST', '/account/password-reset/set', null],
  ['GET', '/account/sessions', null],
  ['DELETE', '/account/sessions/{session_id}', null],
  ['GET', '/account/me', null],
  ['PATCH', '/account/me', null],
  ['PUT', '/account/me/password', null],
  ['GET', '/account/tokens', null],
  ['POST', '/account/tokens', null],
  ['DELETE', '/account/tokens/{token_id}', null],
  ['GET', '/account/report-tokens', null],
  ['GET', '/account/report-tokens/domains', null],
  ['POST', '/account/report-tokens', null],
  ['DELETE', '/account/report-tokens/{report_token_id}', null],
  ['GET', '/account/users', null],
  ['PATCH', '/account/users/{user_id}', null],
  ['DELETE', '/account/users/{user_id}', null],
  ['GET', '/account/invitations', null],
  ['POST', '/account/invitations', null],
  ['DELETE', '/account/invitations/{invitation_id}', null],
  ['POST', '/account/invitations/open', null],
  ['POST', '/account/invitations/accept', null],
  ['GET', '/account/organizations', null],
  ['POST', '/account/organizations', null],
  ['PATCH', '/account/organizations/{organization_id}', null],
  ['GET', '/account/audit-log', null],
  ['GET', '/account/alert-channels', null],
  ['POST', '/account/alert-channels', null],
  ['GET', '/account/alert-channels/{channel_id}', null],
  ['PATCH', '/account/alert-channels/{channel_id}', null],
  ['DELETE', '/account/alert-channels/{channel_id}', null],
  ['POST', '/account/alert-channels/{channel_id}/test', null],
  ['GET', '/account/alerts', null],
  ['GET', '/account/alerts/{alert_id}', null],
  ['GET', '/account/breaking', null],
  ['PATCH', '/account/breaking', null],
];

const nameOf = ([method, path]: Row): string => `${method} /api/v1${path}`;

describe('Endpoints', () => {
  it.each(specified)('%s | %s | %s', (...row) => {
    expect([nameOf(row), registered.get(nameOf(row))]).toEqual([nameOf(row), row[2]]);
  });

  it.each(additions)('%s | %s | %s, beyond the specification', (...row) => {
    expect([nameOf(row), registered.get(nameOf(row))]).toEqual([nameOf(row), row[2]]);
  });

  it('and nothing else: what is added is listed above, on purpose', () => {
    const listed = [...specified, ...additions].map(nameOf);
    expect([...registered.keys()].toSorted()).toEqual(listed.toSorted());
  });
});
