import type { FastifyRequest } from 'fastify';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Traceparent } from '../../../../engine/contract/trace-context.ts';
import { createSubjectOf, type SubjectOf } from '../../../../engine/contract/vapid-subject.ts';
import { createDeliveryProofs, type DeliveryProofs } from '../../../../engine/notification/delivery-proof.ts';
import type { AppRole } from '../../../auth/app-roles.ts';
import { type Actor, actorOf } from '../../../auth/audit.ts';
import { baseOf } from '../../../http/page.ts';
import type { Using } from '../../../ports/deps.ts';
import type { StoredApp } from '../../apps/store.ts';
import { appOf, appRoleOf } from '../../own-app.ts';
import { createReadDeliveryImage, type ReadDeliveryImage } from '../create/delivery-image.ts';
import { type Idempotency, idempotencyOf } from '../create/idempotency.ts';

/** Who asks for a delivery or a campaign, and where: the same on every path that writes one. */
export interface Order {
  readonly app: StoredApp;
  readonly actor: Actor;
  /** On the app. */
  readonly role: AppRole;
  readonly idempotency: Idempotency | null;
  /** Our own address, as the client knows it: images are served there. */
  readonly base: string;
  /** Of the request; null: it is not traced. */
  readonly traceparent: Traceparent | null;
}

export const orderOf = (
  request: FastifyRequest,
  config: Pick<DepsOfWrite['config'], 'publicBaseUrl'>,
): Order => ({
  app: appOf(request),
  actor: actorOf(request),
  role: appRoleOf(request),
  idempotency: idempotencyOf(request),
  base: baseOf(request, config),
  traceparent: request.span?.traceparent ?? null,
});

export interface WriteDeps {
  readonly database: Database;
  readonly proofs: DeliveryProofs;
  readonly readImage: ReadDeliveryImage;
  readonly wakeRelay: () => void;
  readonly subjectOf: SubjectOf;
  /** Breaking deliveries of each organization a day; null: no limit. */
  readonly breakingPerDay: number | null;
}

export type DepsOfWrite = Using<
  'database' | 'masterKey' | 'publicAddresses' | 'wakeRelay' | 'subjectOf' | 'config'
>;

/** For one route: each has permits of its own for the images that it fetches. */
export const createWriteDeps = (deps: DepsOfWrite): WriteDeps => ({
  database: deps.database,
  proofs: createDeliveryProofs(deps.masterKey),
  readImage: createReadDeliveryImage(deps.database, deps.publicAddresses),
  wakeRelay: deps.wakeRelay,
  subjectOf: deps.subjectOf ?? createSubjectOf(null),
  breakingPerDay: deps.config.breakingPerDay,
});
