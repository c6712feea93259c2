interface WeightedCapacity {
  /** Of the depth in the summary curve. */
  readonly weight: number;
  readonly fieldCapacity: number | null;
}

/**
 * A line drawn on the summary curve (m3/m3) moves the field capacity of all depths alike, until their mean, weighted as
 * the curve is, lies on it: the classes keep saying which depth holds more, the line says how much all hold.
 */
export function followDrawnCapacity<D extends WeightedCapacity>(depths: readonly D[], line: number | null): D[] {
  const layered = depths.flatMap(({ weight, fieldCapacity }) =>
    fieldCapacity === null ? [] : [{ weight, fieldCapacity }],
  );
  const total = layered.reduce((sum, { weight }) => sum + weight, 0);
  if (line === null || layered.length === 0) return [...depths];
  const shareOf = ({ weight }: WeightedCapacity): number => (total > 0 ? weight / total : 1 / layered.length);
  const shift = line - layered.reduce((sum, depth) => sum + shareOf(depth) * depth.fieldCapacity, 0);
  return depths.map((depth) =>
    depth.fieldCapacity === null ? depth : { ...depth, fieldCapacity: depth.fieldCapacity + shift },
  );
}
