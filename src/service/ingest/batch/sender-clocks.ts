import type { AmbiguousRow } from '../../../domain/ingest/repeated-hour.ts';
import type { UnreadReason } from '../../../domain/ingest/unread-reason.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import { formatOffset, offsetMinutesAt } from '../../../domain/time-zone.ts';
import { clockReasons } from '../../../language/ingest/unread-reasons.ts';
import type { UnreadItem } from '../../../schema/ingest/ingest-items.ts';
import type { ReadingTimeParser } from '../reading-times.ts';
import type { SensorIndex } from '../sensor-index.ts';
import { type ItemReasons, rejected } from './parsed-items.ts';

/** A sender of local times: a module, by its id, or a device that is not assigned, by its name. */
export type Sender = number | string;

interface Contradiction {
  readonly reason: UnreadReason;
  /** Times before it at this offset are right even if the clock stays the same all year. */
  readonly before: { readonly at: number; readonly offsetMinutes: number } | null;
}

/**
 * Senders whose local times contradict the zone, found in a first pass over all items of a batch. In
 * a second pass their times that may be an hour off are rejected, whatever their order.
 */
export class SenderClocks {
  readonly #zone: string;
  /** Undefined if a person named the zone, so that the hour that it repeats may be missing. */
  readonly onClockRunsOn: ((row: AmbiguousRow, sender: Sender) => void) | undefined;
  readonly #found = new Map<Sender, Contradiction>();
  #known: ReadonlyMap<Sender, Contradiction> = new Map();

  constructor(zone: string, isZoneNamed: boolean) {
    this.#zone = zone;
    this.onClockRunsOn = isZoneNamed ? undefined : (row, sender) => this.#addRunningOn(row, sender);
  }

  /** True if there is something to reject in a second pass. */
  startSecondPass(): boolean {
    this.#known = new Map(this.#found);
    return this.#known.size > 0;
  }

  /** Null unless the time that was parsed last may be an hour off. */
  rejectionOf(sender: Sender, times: ReadingTimeParser, at: number): ItemReasons | null {
    if (!times.isLocal) return null;
    this.#addSkippedHour(sender, times);

    const contradiction = this.#known.get(sender);
    if (contradiction === undefined) return null;
    const { before, reason } = contradiction;
    const isRight =
      before !== null && at < before.at && this.#offsetAt(at) === before.offsetMinutes;
    return isRight ? null : rejected(reason);
  }

  /** Listed for a week, since what such a sender sends later may be an hour off. */
  asUnread({ byId }: Pick<SensorIndex, 'byId'>): UnreadItem[] {
    return [...this.#found].map(([sender, { reason }]) => {
      const module = typeof sender === 'string' ? undefined : byId.get(sender);
      const name = module?.name ?? module?.uid ?? String(sender);
      return { sender: name, via: name, reason };
    });
  }

  #addSkippedHour(sender: Sender, { skippedHour }: ReadingTimeParser): void {
    if (skippedHour === null || this.#found.has(sender)) return;
    const { at, text, offsetMinutes, offsetMinutesAfter } = skippedHour;
    const offsets = this.#offsets(offsetMinutes, offsetMinutesAfter);
    const reason = clockReasons.skippedHour(text, offsets);
    this.#found.set(sender, { reason, before: { at, offsetMinutes } });
  }

  #addRunningOn({ earlierAt, laterAt }: AmbiguousRow, sender: Sender): void {
    const day = LocalDay.at(earlierAt, this.#zone).iso;
    const offsets = this.#offsets(this.#offsetAt(laterAt), this.#offsetAt(earlierAt));
    const reason = clockReasons.hourNotRepeated(day, offsets);
    this.#found.set(sender, { reason, before: null });
  }

  #offsetAt(at: number): number {
    return offsetMinutesAt(at, this.#zone);
  }

  #offsets(winter: number, summer: number) {
    return { zone: this.#zone, winter: formatOffset(winter), summer: formatOffset(summer) };
  }
}
