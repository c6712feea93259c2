// When the assignment of a device is undone, the readings that it wrote to its sensors are deleted.
// A reading does not say who wrote it. So each device has, for each of its sensors, a period that
// holds only readings of the device. Once others write into the period, nobody knows which of its
// readings are whose, and an undo leaves all of them.

/** The readings of one sensor in a batch that have one writer. */
export interface WrittenPeriod {
  readonly sensorId: number;
  /** Null for readings that no assigned device sent, such as those of a file. */
  readonly device: string | null;
  /** The times of the oldest and the newest of these readings. */
  readonly from: number;
  readonly to: number;
}

/** Its instants are the times of readings, not the times at which they were written. */
export interface DevicePeriod {
  readonly id: number;
  readonly device: string;
  readonly sensorId: number;
  /** The start: readings of others are older. */
  readonly fromAt: number;
  /** The end, which belongs to the period; null as long as the device is assigned. */
  readonly untilAt: number | null;
  /** No reading of the device in the period is older. */
  readonly firstAt: number;
  /** The oldest reading that the device wrote before the period; null if it wrote none. */
  readonly earlyAt: number | null;
  /** Others wrote into the period. */
  readonly isShared: boolean;
}

export type NewDevicePeriod = Omit<DevicePeriod, 'id' | 'untilAt'>;

/** The first readings of a device that has no period for the sensor. */
export interface StartedPeriod extends WrittenPeriod {
  readonly device: string;
  /** Others write to the sensor in the same batch. */
  readonly isShared: boolean;
}

export interface PeriodChanges {
  readonly started: readonly StartedPeriod[];
  readonly changed: readonly DevicePeriod[];
}

/** Changes nothing where each device goes on writing to its sensors alone. */
export function periodChanges(
  periodsBySensor: ReadonlyMap<number, readonly DevicePeriod[]>,
  written: readonly WrittenPeriod[],
): PeriodChanges {
  const changed = new Map<number, DevicePeriod>();
  const started: StartedPeriod[] = [];

  for (const readings of written) {
    const { device, sensorId } = readings;
    const periods = periodsBySensor.get(sensorId) ?? [];
    for (const stored of periods) {
      const period = changed.get(stored.id) ?? stored;
      const isOwn = isOpenFor(device, period);
      const next = isOwn ? withOwnReadings(period, readings) : withOtherReadings(period, readings);
      if (next !== period) changed.set(stored.id, next);
    }

    if (device === null || periods.some((period) => isOpenFor(device, period))) continue;
    const isShared = written.some((other) => other.sensorId === sensorId && other !== readings);
    started.push({ ...readings, device, isShared });
  }

  return { started, changed: [...changed.values()] };
}

const isOpenFor = (device: string | null, period: DevicePeriod): boolean =>
  period.untilAt === null && period.device === device;

function withOwnReadings(period: DevicePeriod, { from, to }: WrittenPeriod): DevicePeriod {
  const { fromAt, firstAt, earlyAt } = period;
  const isEarliest = from < (earlyAt ?? fromAt);
  const isFirst = to >= fromAt && from < firstAt && firstAt > fromAt;
  if (!isEarliest && !isFirst) return period;
  return {
    ...period,
    earlyAt: isEarliest ? from : earlyAt,
    firstAt: isFirst ? Math.max(from, fromAt) : firstAt,
  };
}

/**
 * Starts the period after the readings of others if they are older than all that the device wrote
 * into it. Readings of the device itself count as those of others once it was assigned anew.
 */
export function withOtherReadings(
  period: DevicePeriod,
  { from, to }: Pick<WrittenPeriod, 'from' | 'to'>,
): DevicePeriod {
  const { fromAt, firstAt, untilAt, isShared } = period;
  const isOutside = to < fromAt || (untilAt !== null && from > untilAt);
  if (isShared || isOutside) return period;
  return to < firstAt ? { ...period, fromAt: to + 1 } : { ...period, isShared: true };
}

/** `newestStoredAt` is the newest reading that the sensor has from others; null if it has none. */
export function startPeriod(
  { device, sensorId, from, isShared }: StartedPeriod,
  newestStoredAt: number | null,
): NewDevicePeriod {
  const fromAt = newestStoredAt === null ? 0 : newestStoredAt + 1;
  return {
    device,
    sensorId,
    fromAt,
    firstAt: Math.max(from, fromAt),
    earlyAt: from < fromAt ? from : null,
    isShared,
  };
}
