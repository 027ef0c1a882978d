// tier: unit
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LogInRefused } from '../../../../engine/adapters/kafka/log-in/errors.ts';
import { signMskToken } from '../../../../engine/adapters/kafka/log-in/msk-iam.ts';

/** What AWS gives as examples; the SDK signs with them, and asks nobody. */
const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example-secret' };

describe('a token of AWS MSK IAM', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each(['eu-west-1', 'us-gov-east-1'])(
    'is a request to %s, signed by the real signer for that region',
    async (region) => {
      for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value);
      const { value, expiresAt } = await signMskToken(region);
      const signed = new URL(Buffer.from(value, 'base64url').toString());
      expect(signed.host).toBe(`kafka.${region}.amazonaws.com`);
      expect(signed.searchParams.get('Action')).toBe('kafka-cluster:Connect');
      expect(signed.searchParams.get('X-Amz-Credential')).toMatch(
        new RegExp(`^AKIDEXAMPLE/\\d{8}/${region}/kafka-cluster/aws4_request$`),
      );
      expect(signed.href).not.toContain('example-secret');
      expect(expiresAt - Date.now()).toBeGreaterThan(800_000);
      expect(expiresAt - Date.now()).toBeLessThan(901_000);
    },
  );

  it('is refused with one line where there are no credentials', async () => {
    const noCredentials = () => Promise.reject(new Error('Could not load credentials from any providers'));
    const error = await signMskToken('eu-west-1', async () => ({ generateAuthToken: noCredentials })).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(LogInRefused);
    expect((error as Error).message).toMatch(/^The AWS SDK finds no credentials for AWS_MSK_IAM/);
  });
});
