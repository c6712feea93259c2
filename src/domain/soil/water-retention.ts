/** Water contents in m3/m3. */
export interface RetentionPoints {
  /** At 33 kPa. */
  readonly fieldCapacity: number;
  /** At 1,500 kPa. */
  readonly wiltingPoint: number;
}

const FIELD_CAPACITY_KPA = 33;
const WILTING_POINT_KPA = 1500;

/** The exponent B; null where the points are crossed or 0. */
function slopeOf({ fieldCapacity, wiltingPoint }: RetentionPoints): number | null {
  if (wiltingPoint <= 0 || fieldCapacity <= wiltingPoint) return null;
  return Math.log(WILTING_POINT_KPA / FIELD_CAPACITY_KPA) / Math.log(fieldCapacity / wiltingPoint);
}

/**
 * The tension in kPa at a water content in m3/m3: A x moisture^-B through both points, for 33 to
 * 1,500 kPa. Source: Saxton & Rawls (2006), equations 11, 14 and 15. Null if it cannot be computed.
 */
export function tensionAt(moisture: number, soil: RetentionPoints): number | null {
  const slope = slopeOf(soil);
  if (slope === null || moisture <= 0) return null;
  return FIELD_CAPACITY_KPA * (soil.fieldCapacity / moisture) ** slope;
}

/** The inverse of `tensionAt`. */
export function moistureAt(tension: number, soil: RetentionPoints): number | null {
  const slope = slopeOf(soil);
  if (slope === null || tension <= 0) return null;
  return soil.fieldCapacity * (FIELD_CAPACITY_KPA / tension) ** (1 / slope);
}
