import { describe } from 'vitest';
import { describeBlocks } from './stores-blocks.ts';
import { describeCampaigns } from './stores-campaigns.ts';
import { describeRecord } from './stores-record.ts';
import { describeReleases } from './stores-releases.ts';
import { describeShards } from './stores-shards.ts';
import { describeStandings } from './stores-standings.ts';
import { describeTurns } from './stores-turns.ts';
import type { StoresHarness } from './stores-world.ts';

/** The sentences that hold for the stores of deliveries, shards and blocks, wherever they keep their rows. */
export function describeStores(name: string, harness: StoresHarness): void {
  describe(name, () => {
    describe('shards and leases', () => describeShards(harness));
    describe('turns of planning', () => describeTurns(harness));
    describe('blocks', () => describeBlocks(harness));
    describe('campaigns', () => describeCampaigns(harness));
    describe('the record of endpoints', () => describeRecord(harness));
    describe('standings and budgets', () => describeStandings(harness));
    describe('releases and the outbox', () => describeReleases(harness));
  });
}
