// tier: core
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from './temporary-tree.ts';

describe('npm run schema', () => {
  it('prints the tables of both databases as all migrations together make them', async () => {
    const main = 'test/support/schema/main.ts';
    const { stdout } = await promisify(execFile)(process.execPath, [main], { cwd: repositoryRoot });
    expect(stdout).toMatch(/^subscriptions, partitioned by HASH \(app_id\)\n {2}app_id +integer NOT NULL/m);
    expect(stdout).toMatch(/^ {2}UNIQUE INDEX \w+ \(decode\(md5\(endpoint\)/m);
    expect(stdout).toMatch(/^ {2}TRIGGER subscriptions_counted AFTER INSERT/m);
    expect(stdout).not.toMatch(/subscriptions_00/);
    expect(stdout).toMatch(/^CREATE TABLE outcomes\n/m);
  });
});
