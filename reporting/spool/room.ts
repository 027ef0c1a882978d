import type { Clock, Timer } from '../../engine/contract/clock.ts';

/** What the answers whose clients are behind may use together. */
export interface RoomOptions {
  /** On the disk, over all answers and of one. */
  readonly totalBytes: number;
  readonly answerBytes: number;
  /** Where there is no room, a client slower than that is dropped. */
  readonly slowestBytesPerSecond: number;
  readonly clock: Clock;
}

export interface Tenant {
  /** Bytes that its client took so far. */
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
/** A client is slow that took too little for so long. */
const WINDOW_MS = 10_000;

interface Place {
  readonly tenant: Tenant;
  bytes: number;
  lingers: boolean;
  takenBefore: number | null;
  /** Over the last whole window; null: it has not been here for one. */
  bytesPerSecond: number | null;
}

/**
 * Who holds room without reading gives it to who needs it: whenever a claim finds none, the slowest client is
 * dropped, where it is below the stated rate. So no number of clients that stopped reading fills the disk, keeps
 * others waiting, or costs a client anything that reads at the rate.
 */
export function createRoom(options: RoomOptions): Room {
  const { totalBytes, answerBytes, slowestBytesPerSecond, clock } = options;
  const places = new Set<Place>();
  let used = 0;
  let timer: Timer | null = null;

  function sample(): void {
    timer = null;
    for (const place of places) {
      const taken = place.tenant.taken();
      if (place.takenBefore !== null)
        place.bytesPerSecond = ((taken - place.takenBefore) * 1_000) / WINDOW_MS;
      place.takenBefore = taken;
    }
    watch();
  }

  function watch(): void {
    if (places.size > 0) timer ??= clock.setTimer(WINDOW_MS, sample);
  }

  const isSlow = ({ bytesPerSecond }: Place): boolean =>
    bytesPerSecond !== null && bytesPerSecond < slowestBytesPerSecond;

  function dropSlowest(among: readonly Place[]): void {
    const [slowest] = among
      .filter(isSlow)
      .sort(
        (one, other) => (one.bytesPerSecond ?? 0) - (other.bytesPerSecond ?? 0) || other.bytes - one.bytes,
      );
    slowest?.tenant.drop(`it reads ${slowest.bytesPerSecond} bytes a second, and others need the room`);
  }

  function claim(place: Place, bytes: number): boolean {
    const isOwnFull = place.bytes + bytes > answerBytes;
    if (isOwnFull || used + bytes > totalBytes) {
      dropSlowest(isOwnFull ? [place] : [...places]);
      return false;
    }
    place.bytes += bytes;
    used += bytes;
    return true;
  }

  function linger(place: Place): boolean {
    const lingering = [...places].filter(({ lingers }) => lingers);
    if (lingering.length >= MOST_LINGERING) dropSlowest(lingering);
    place.lingers = [...places].filter(({ lingers }) => lingers).length < MOST_LINGERING;
    return place.lingers;
  }

  return {
    used: () => used,
    enter: (tenant) => {
      const place: Place = { tenant, bytes: 0, lingers: false, takenBefore: null, bytesPerSecond: null };
      places.add(place);
      watch();
      return {
        claim: (bytes) => claim(place, bytes),
        linger: () => linger(place),
        leave: () => {
          if (!places.delete(place)) return;
          used -= place.bytes;
          if (places.size > 0) return;
          timer?.clear();
          timer = null;
        },
      };
    },
  };
}
