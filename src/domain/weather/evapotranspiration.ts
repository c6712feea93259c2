/*
 * Reference evapotranspiration of a day. Source, also of the equation numbers: R. G. Allen,
 * L. S. Pereira, D. Raes, M. Smith (1998), Crop Evapotranspiration, FAO Irrigation and Drainage
 * Paper 56, chapters 3 and 4.
 */

export interface DayOfWeather {
  /** Degrees Celsius. */
  readonly temperatureMin: number | null;
  readonly temperatureMax: number | null;
  /** Relative humidity, %. */
  readonly humidityMin: number | null;
  readonly humidityMax: number | null;
  readonly dewPoint: number | null;
  /** Mean at 2 m, m/s. */
  readonly windMs: number | null;
  /** Solar radiation, MJ/m2 a day. */
  readonly radiationMj: number | null;
}

export interface WeatherSite {
  /** Degrees, negative in the south. */
  readonly latitude: number;
  /** Metres above the sea. */
  readonly elevationM: number;
}

export type EvapotranspirationMethod = 'penman_monteith' | 'hargreaves';
export type WeatherInput = 'temperature' | 'humidity' | 'wind' | 'radiation';

export interface ReferenceEvapotranspiration {
  /** Null without temperatures. */
  readonly mm: number | null;
  readonly method: EvapotranspirationMethod | null;
  /** The inputs that Penman-Monteith lacks. */
  readonly missing: readonly WeatherInput[];
}

/** About the highest that a crop coefficient reaches (equation 72). */
const MAX_CROP_COEFFICIENT = 1.3;
const MIN_KNOWN_DAYS = 7;

/**
 * The most that any crop may have lost on one of these days, in mm; null where fewer than
 * `MIN_KNOWN_DAYS` are known.
 */
export function largestCropEvapotranspiration(et0Mm: readonly (number | null)[]): number | null {
  const known = et0Mm.filter((mm) => mm !== null);
  return known.length < MIN_KNOWN_DAYS ? null : MAX_CROP_COEFFICIENT * Math.max(...known);
}

/** Uses Penman-Monteith where all of its inputs are known, else Hargreaves. */
export function referenceEvapotranspiration(
  weather: DayOfWeather,
  site: WeatherSite,
  dayOfYear: number,
): ReferenceEvapotranspiration {
  const { temperatureMin: min, temperatureMax: max, windMs, radiationMj } = weather;
  const hasTemperatures = min !== null && max !== null;
  const vapour = hasTemperatures ? actualVapourPressure(weather, min, max) : null;

  const missing: WeatherInput[] = [];
  if (!hasTemperatures) missing.push('temperature');
  if (weather.dewPoint === null && weather.humidityMax === null) missing.push('humidity');
  if (windMs === null) missing.push('wind');
  if (radiationMj === null) missing.push('radiation');

  if (!hasTemperatures) return { mm: null, method: null, missing };
  if (vapour === null || windMs === null || radiationMj === null)
    return {
      mm: hargreaves(min, max, extraterrestrialRadiation(site.latitude, dayOfYear)),
      method: 'hargreaves',
      missing,
    };

  const radiation = netRadiation({ min, max, vapour, radiationMj }, site, dayOfYear);
  return {
    mm: penmanMonteith({ min, max, vapour, windMs, radiation }, site),
    method: 'penman_monteith',
    missing,
  };
}

/** Temperatures in degrees Celsius; the actual vapour pressure in kPa. */
interface AirOfDay {
  readonly min: number;
  readonly max: number;
  readonly vapour: number;
}

interface PenmanMonteithInputs extends AirOfDay {
  /** Mean at 2 m, m/s. */
  readonly windMs: number;
  /** Net radiation, MJ/m2 a day. */
  readonly radiation: number;
}

/** Equation 6, with a soil heat flux of 0 for a day (equation 42). */
function penmanMonteith(
  { min, max, vapour, windMs, radiation }: PenmanMonteithInputs,
  { elevationM }: WeatherSite,
): number {
  const mean = (min + max) / 2;
  const slope = vapourPressureSlope(mean);
  const gamma = psychrometricConstant(elevationM);
  const deficit = (saturationVapourPressure(min) + saturationVapourPressure(max)) / 2 - vapour;
  const aerodynamic = (gamma * 900 * windMs * deficit) / (mean + 273);
  return Math.max(
    0,
    (0.408 * slope * radiation + aerodynamic) / (slope + gamma * (1 + 0.34 * windMs)),
  );
}

/**
 * Equation 52. `radiation` is extraterrestrial, in MJ/m2 a day; 2.45 MJ/m2 evaporate 1 mm (equation
 * 20).
 */
const hargreaves = (min: number, max: number, radiation: number): number =>
  Math.max(
    0,
    0.0023 * ((min + max) / 2 + 17.8) * Math.sqrt(Math.max(0, max - min)) * 0.408 * radiation,
  );

/** Equation 11, kPa at degrees Celsius. */
export const saturationVapourPressure = (celsius: number): number =>
  0.6108 * Math.exp((17.27 * celsius) / (celsius + 237.3));

/** Equation 13, kPa per degree. */
export const vapourPressureSlope = (celsius: number): number =>
  (4098 * saturationVapourPressure(celsius)) / (celsius + 237.3) ** 2;

/** Equations 7 and 8, kPa per degree. */
export const psychrometricConstant = (elevationM: number): number =>
  0.000665 * 101.3 * ((293 - 0.0065 * elevationM) / 293) ** 5.26;

/** In kPa: equation 14 from the dew point, 17 from both humidities, 18 from the maximum alone. */
function actualVapourPressure(
  { humidityMin, humidityMax, dewPoint }: DayOfWeather,
  min: number,
  max: number,
): number | null {
  if (dewPoint !== null) return saturationVapourPressure(dewPoint);
  if (humidityMax === null) return null;
  const atMin = (saturationVapourPressure(min) * humidityMax) / 100;
  return humidityMin === null
    ? atMin
    : (atMin + (saturationVapourPressure(max) * humidityMin) / 100) / 2;
}

/** Equations 21 to 25, in MJ/m2 a day. */
export function extraterrestrialRadiation(latitude: number, dayOfYear: number): number {
  const angle = (2 * Math.PI * dayOfYear) / 365;
  const distance = 1 + 0.033 * Math.cos(angle);
  const declination = 0.409 * Math.sin(angle - 1.39);
  const phi = (latitude * Math.PI) / 180;
  // Beyond the polar circles the sun does not set, or does not rise.
  const sunset = Math.acos(Math.min(1, Math.max(-1, -Math.tan(phi) * Math.tan(declination))));
  const height =
    sunset * Math.sin(phi) * Math.sin(declination) +
    Math.cos(phi) * Math.cos(declination) * Math.sin(sunset);

  return ((24 * 60) / Math.PI) * 0.082 * distance * height;
}

/**
 * Solar radiation over that of a clear sky: of the darkest days too. Source: ASCE-EWRI (2005), The
 * ASCE Standardized Reference Evapotranspiration Equation, equation 18.
 */
const MIN_CLEARNESS = 0.3;

/** Equations 37 to 40, in MJ/m2 a day; grass reflects 23 % of the solar radiation. */
function netRadiation(
  { min, max, vapour, radiationMj }: AirOfDay & { readonly radiationMj: number },
  { latitude, elevationM }: WeatherSite,
  dayOfYear: number,
): number {
  const clearSky = (0.75 + 2e-5 * elevationM) * extraterrestrialRadiation(latitude, dayOfYear);
  const clearness =
    clearSky === 0 ? 1 : Math.min(1, Math.max(MIN_CLEARNESS, radiationMj / clearSky));
  const blackBody = 4.903e-9 * (((max + 273.16) ** 4 + (min + 273.16) ** 4) / 2);
  return (
    0.77 * radiationMj - blackBody * (0.34 - 0.14 * Math.sqrt(vapour)) * (1.35 * clearness - 0.35)
  );
}

/** Equation 47: the wind at 2 m from the wind at another height. */
export const windAtTwoMetres = (windMs: number, heightM: number): number =>
  (windMs * 4.87) / Math.log(67.8 * heightM - 5.42);
