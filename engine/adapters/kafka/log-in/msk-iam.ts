import { LogInRefused } from './errors.ts';
import type { Token } from './token-cache.ts';

/** What of the signer is called. */
export type Signer = Pick<typeof import('aws-msk-iam-sasl-signer-js'), 'generateAuthToken'>;

/** Loaded only where it is used: with its parts of the AWS SDK it takes 75 ms and 29 MB. */
export const loadSigner = (): Promise<Signer> => import('aws-msk-iam-sasl-signer-js');

/**
 * A token of AWS MSK IAM: a request to the cluster's region, signed with the credentials that the AWS SDK finds
 * (environment, profile, container, instance). It is signed here, and no request is made except for the credentials.
 * @throws LogInRefused where there are no credentials.
 */
export async function signMskToken(region: string, load: () => Promise<Signer> = loadSigner): Promise<Token> {
  const { generateAuthToken } = await load();
  try {
    const { token, expiryTime } = await generateAuthToken({ region });
    return { value: token, expiresAt: expiryTime };
  } catch (cause) {
    throw new LogInRefused(
      'The AWS SDK finds no credentials for AWS_MSK_IAM: give this process a role, a profile or keys',
      cause,
    );
  }
}
