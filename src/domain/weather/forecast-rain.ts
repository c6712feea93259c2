/** Less rain wets the leaves and not the soil. */
const MIN_RAIN_MM = 1;

interface ForecastDay {
  readonly day: string;
  readonly rainMm: number | null;
  /** In %. */
  readonly rainProbability: number | null;
}

interface ForecastRain {
  readonly mm: number;
  /** The local date of the last day with rain. */
  readonly until: string;
  /** The probability of the likeliest day in %; null if unknown. */
  readonly probability: number | null;
}

/**
 * The rain that is still to come until the last day with rain; null without any. The forecast of a
 * day has all its rain, so what has been measured today is taken from that of today.
 */
export function forecastRain(
  days: readonly ForecastDay[],
  today: { readonly day: string; readonly measuredMm: number },
): ForecastRain | null {
  const coming = days.map(({ day, rainMm, rainProbability }) => {
    const measuredMm = day === today.day ? today.measuredMm : 0;
    return { day, rainProbability, rainMm: Math.max(0, (rainMm ?? 0) - measuredMm) };
  });
  const wet = coming.filter(({ rainMm }) => rainMm >= MIN_RAIN_MM);
  const until = wet.at(-1)?.day;
  if (until === undefined) return null;

  const chances = wet.flatMap(({ rainProbability }) => rainProbability ?? []);
  return {
    mm: coming.reduce((sum, { day, rainMm }) => (day <= until ? sum + rainMm : sum), 0),
    until,
    probability: chances.length === 0 ? null : Math.max(...chances),
  };
}
