import type { Pushed } from './message.ts';

/** The library of types is the one for pages; here is the little of a worker that is used. */
export interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Notified extends Extendable {
  readonly notification: Notification;
  /** Name of the button; empty: the notification itself. */
  readonly action: string;
}

interface Synced extends Extendable {
  readonly tag: string;
}

interface Events {
  readonly install: Extendable;
  readonly activate: Extendable;
  readonly push: Extendable & Pushed;
  readonly notificationclick: Notified;
  readonly notificationclose: Notified;
  readonly pushsubscriptionchange: Extendable;
  readonly sync: Synced;
}

interface Page {
  readonly url: string;
  focus(): Promise<unknown>;
}

interface Worker {
  readonly registration: ServiceWorkerRegistration & {
    /** Not in every browser. */
    readonly sync?: { register(tag: string): Promise<void> };
  };
  readonly clients: {
    matchAll(options: object): Promise<Page[]>;
    openWindow(url: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void;
}

export const worker = self as unknown as Worker;
