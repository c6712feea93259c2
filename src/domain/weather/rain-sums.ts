import { type PeriodBounds, type RainRecord, rainByDayInPeriod } from './rain.ts';

export interface RainSum {
  readonly parcelId: number | null;
  readonly mm: number;
  readonly days: number;
}

type Sum = Pick<RainSum, 'mm' | 'days'>;

const NONE: Sum = { mm: 0, days: 0 };

/** Fewer records are not worth adding up on their own. */
const MIN_RECORDS = 200;

/**
 * Adds up the rain of a period from records that come in the order of their start. Whenever no
 * later record can be of the same rain, it adds up the records so far and forgets them, so that it
 * never holds those of a long period.
 */
export class RainSummation {
  readonly #period: PeriodBounds;
  /**
   * For one parcel (null: the whole farm); undefined: for the farm and each parcel with records of
   * its own.
   */
  readonly #parcelId: number | null | undefined;
  readonly #sums = new Map<number | null, Sum>();
  /** Counts for a parcel until its first record of its own. */
  #ofFarm = NONE;
  /** Records that are not added up yet, the latest day among them, and when all have ended. */
  #open: RainRecord[] = [];
  #openDay = '';
  #openUntil = Number.NEGATIVE_INFINITY;

  constructor(period: PeriodBounds, parcelId: number | null | undefined) {
    this.#period = period;
    this.#parcelId = parcelId;
    if (parcelId !== undefined) this.#sums.set(parcelId, NONE);
  }

  add(records: readonly RainRecord[]): void {
    for (const record of records) {
      if (this.#open.length >= MIN_RECORDS && this.#isApart(record)) this.#addUp();

      this.#open.push(record);
      if (record.localDay > this.#openDay) this.#openDay = record.localDay;
      this.#openUntil = Math.max(this.#openUntil, record.startedAt + 1, record.endedAt ?? 0);
    }
  }

  /** The sums of the farm and of parcels where rain counts; call it once, after all records. */
  result(): RainSum[] {
    this.#addUp();
    return [...this.#sums]
      .map(([parcelId, sum]) => ({ parcelId, ...sum }))
      .filter(({ days }) => days > 0)
      .sort((a, b) => (a.parcelId ?? 0) - (b.parcelId ?? 0));
  }

  /** On a later day, and after everything before has ended. */
  #isApart({ localDay, startedAt }: RainRecord): boolean {
    return localDay > this.#openDay && startedAt >= this.#openUntil;
  }

  #addUp(): void {
    const records = this.#open;
    this.#open = [];

    if (this.#parcelId === undefined)
      for (const { parcelId } of records)
        if (!this.#sums.has(parcelId))
          this.#sums.set(parcelId, parcelId === null ? NONE : this.#ofFarm);

    const ofFarm = this.#sumFor(records, null);
    for (const [parcelId, sum] of this.#sums)
      this.#sums.set(
        parcelId,
        added(sum, parcelId === null ? ofFarm : this.#sumFor(records, parcelId)),
      );

    this.#ofFarm = added(this.#ofFarm, ofFarm);
  }

  #sumFor(records: readonly RainRecord[], parcelId: number | null): Sum {
    const days = rainByDayInPeriod({ ...this.#period, records }, parcelId);
    return { mm: days.reduce((sum, { mm }) => sum + mm, 0), days: days.length };
  }
}

const added = (a: Sum, b: Sum): Sum => ({ mm: a.mm + b.mm, days: a.days + b.days });
