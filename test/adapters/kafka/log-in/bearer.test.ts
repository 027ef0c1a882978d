// tier: unit
import { describe, expect, it } from 'vitest';
import { bearerMechanism } from '../../../../engine/adapters/kafka/log-in/bearer.ts';
import { LogInRefused } from '../../../../engine/adapters/kafka/log-in/errors.ts';

type Provider = ReturnType<typeof bearerMechanism>['authenticationProvider'];
type Exchange = Parameters<Provider>[0]['saslAuthenticate'];

/** A broker that answers each message with the next text, or fails where there is none. */
function brokerThatSays(...answers: string[]) {
  const received: string[] = [];
  const saslAuthenticate: Exchange = async ({ request, response }) => {
    const bytes = await request.encode();
    expect(bytes.readInt32BE()).toBe(bytes.length - 4);
    received.push(bytes.subarray(4).toString());
    const said = answers.shift();
    if (said === undefined) throw new Error('SASL_AUTHENTICATION_FAILED');
    const framed = Buffer.concat([Buffer.alloc(4), Buffer.from(said)]);
    return response?.parse(await response.decode(framed));
  };
  const { authenticationProvider } = bearerMechanism({
    mechanism: 'OAUTHBEARER',
    token: async () => 'abc.def.ghi',
    extensions: { logicalCluster: 'lkc-1', identityPoolId: 'pool=2' },
  });
  const logger = {} as Parameters<Provider>[0]['logger'];
  const { authenticate } = authenticationProvider({ host: 'b1', port: 9092, logger, saslAuthenticate });
  return { received, authenticate };
}

describe('a log-in with a bearer token', () => {
  it('is one message, byte for byte as RFC 7628 has it', async () => {
    const { received, authenticate } = brokerThatSays('');
    await authenticate();
    expect(received).toEqual([
      'n,,\u0001auth=Bearer abc.def.ghi\u0001logicalCluster=lkc-1\u0001identityPoolId=pool=2\u0001\u0001',
    ]);
  });

  it('acknowledges the broker’s error, and says its word', async () => {
    const { received, authenticate } = brokerThatSays('{"status":"invalid_token"}');
    const error = await authenticate().catch((reason: unknown) => reason);
    expect(received[1]).toBe('\u0001');
    expect(error).toBeInstanceOf(LogInRefused);
    expect((error as Error).message).toMatch(/OAUTHBEARER \(invalid_token\): they must trust what/);
    expect((error as Error).message).not.toContain('abc.def');
  });
});
