import type { Clock, Timer } from '../../engine/contract/concurrency/clock.ts';

/** The space that answers of slow clients may use together. */
export interface RoomOptions {
  /** On the disk, over all answers and of one. */
  readonly totalBytes: number;
  readonly answerBytes: number;
  /** Where there is no room, a client slower than that is dropped. */
  readonly slowestBytesPerSecond: number;
  readonly clock: Clock;
}

export interface Tenant {
  /** Bytes that its client has taken so far. */
  taken(): number;
  drop(reason: string): void;
}

/** The share of one answer. */
export interface Share {
  /** False: there is no room now. */
  claim(bytes: number): boolean;
  /** Its query has ended and its client reads on; false: too many do. */
  linger(): boolean;
  leave(): void;
}

export interface Room {
  enter(tenant: Tenant): Share;
  /** Bytes on the disk. */
  used(): number;
}

/** Clients that read on after their query; each holds `MEMORY_BYTES` at most, and a file. */
const MOST_LINGERING = 64;
/** A client is slow that took too little for this long. */
const WINDOW_MS = 10_000;

interface Reservation {
  readonly tenant: Tenant;
  bytes: number;
  lingers: boolean;
  takenBefore: number | null;
  /** Over the last whole window; null: it has not been here for one. */
  bytesPerSecond: number | null;
}

/**
 * A tenant that holds room without reading loses it: whenever a claim finds none, the slowest client is
 * dropped, where it is below the stated rate. So no number of clients that stopped reading fills the disk,
 * keeps others waiting, or costs a client anything that reads at the rate.
 */
export function createRoom(options: RoomOptions): Room {
  const { totalBytes, answerBytes, slowestBytesPerSecond, clock } = options;
  const reservations = new Set<Reservation>();
  let used = 0;
  let timer: Timer | null = null;

  function sample(): void {
    timer = null;
    for (const reservation of reservations) {
      const taken = reservation.tenant.taken();
      if (reservation.takenBefore !== null)
        reservation.bytesPerSecond = ((taken - reservation.takenBefore) * 1_000) / WINDOW_MS;
      reservation.takenBefore = taken;
    }
    watch();
  }

  function watch(): void {
    if (reservations.size > 0) timer ??= clock.setTimer(WINDOW_MS, sample);
  }

  const isSlow = ({ bytesPerSecond }: Reservation): boolean =>
    bytesPerSecond !== null && bytesPerSecond < slowestBytesPerSecond;

  function dropSlowest(among: readonly Reservation[]): void {
    const [slowest] = among
      .filter(isSlow)
      .sort(
        (one, other) => (one.bytesPerSecond ?? 0) - (other.bytesPerSecond ?? 0) || other.bytes - one.bytes,
      );
    slowest?.tenant.drop(`it reads ${slowest.bytesPerSecond} bytes a second, and others need the room`);
  }

  function claim(reservation: Reservation, bytes: number): boolean {
    const isOwnFull = reservation.bytes + bytes > answerBytes;
    if (isOwnFull || used + bytes > totalBytes) {
      dropSlowest(isOwnFull ? [reservation] : [...reservations]);
      return false;
    }
    reservation.bytes += bytes;
    used += bytes;
    return true;
  }

  function linger(reservation: Reservation): boolean {
    const lingering = [...reservations].filter(({ lingers }) => lingers);
    if (lingering.length >= MOST_LINGERING) dropSlowest(lingering);
    reservation.lingers = [...reservations].filter(({ lingers }) => lingers).length < MOST_LINGERING;
    return reservation.lingers;
  }

  return {
    used: () => used,
    enter: (tenant) => {
      const reservation: Reservation = {
        tenant,
        bytes: 0,
        lingers: false,
        takenBefore: null,
        bytesPerSecond: null,
      };
      reservations.add(reservation);
      watch();
      return {
        claim: (bytes) => claim(reservation, bytes),
        linger: () => linger(reservation),
        leave: () => {
          if (!reservations.delete(reservation)) return;
          used -= reservation.bytes;
          if (reservations.size > 0) return;
          timer?.clear();
          timer = null;
        },
      };
    },
  };
}
