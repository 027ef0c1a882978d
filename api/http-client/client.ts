import createFetchClient, { type Client } from 'openapi-fetch';
import { createPatientFetch, type PatientOptions } from './patient-fetch.ts';
// Made from the API's own OpenAPI text: npm run types.
import type { paths } from './schema.d.ts';

/** A path's answer to a method with a status. */
export type Answer<
  Path extends keyof paths,
  Method extends keyof paths[Path],
  Status extends number = 200,
> = paths[Path][Method] extends {
  responses: { [Key in Status]: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** The JSON body that a path takes under a method. */
export type Body<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  requestBody: { content: { 'application/json': infer Sent } };
}
  ? Sent
  : never;

export interface BroadsideClientOptions extends PatientOptions {
  /** The API's base URL, without a slash at its end: `https://push.example.com`. */
  readonly baseUrl: string;
  /** `<token_id>|<secret>`. */
  readonly token: string;
}

export type BroadsideClient = Client<paths>;

/** The HTTP API with its types: paths, parameters, bodies and answers are those of the OpenAPI text. */
export function createBroadsideClient({
  baseUrl,
  token,
  ...patience
}: BroadsideClientOptions): BroadsideClient {
  return createFetchClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    fetch: createPatientFetch(patience),
  });
}
