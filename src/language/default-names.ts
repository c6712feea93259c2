import { LANGS, type Lang } from '../domain/lang.ts';

/** Names and labels that the service gives where the customer gave none. Codes never vary; only these words follow the language. */

const MODULE_KINDS: Record<string, Record<Lang, string>> = {
  SOIL_PROBE: { en: 'Soil probe', fr: 'Sonde' },
  TENSIOMETER: { en: 'Tensiometer', fr: 'Tensiomètre' },
  WEATHER_STATION: { en: 'Weather station', fr: 'Station météo' },
};
const UNKNOWN_MODULE_KIND: Record<Lang, string> = { en: 'Module', fr: 'Module' };

/** A module's name: as given, else by its kind and number ("Soil probe 12"), else null. */
export function moduleDisplayName(
  module: { name: string | null; category: string | null; number: number | null },
  lang: Lang,
): string | null {
  if (module.name !== null) return module.name;
  if (module.number === null) return null;
  return `${(MODULE_KINDS[module.category ?? ''] ?? UNKNOWN_MODULE_KIND)[lang]} ${module.number}`;
}

/** What a module without a name of its own is called in the other languages. */
export const moduleNamesInOtherLangs = (module: Parameters<typeof moduleDisplayName>[0], lang: Lang): string[] =>
  module.name !== null
    ? []
    : LANGS.flatMap((other) => (other === lang ? [] : (moduleDisplayName(module, other) ?? [])));

const MEASUREMENT_NAMES: Record<string, Record<Lang, string>> = {
  humidity: { en: 'Moisture', fr: 'Humidité' },
  temperature: { en: 'Temperature', fr: 'Température' },
  tensio: { en: 'Tension', fr: 'Tension' },
};

/** A sensor's label: as given, else by what it measures and its depth in cm ("Moisture 10 cm"). */
export function sensorDisplayLabel(
  sensor: { label: string | null; type: string | null; depth: number | null },
  lang: Lang,
): string | null {
  if (sensor.label !== null) return sensor.label;
  const measure = MEASUREMENT_NAMES[sensor.type ?? '']?.[lang];
  if (measure === undefined) return null;
  return sensor.depth === null ? measure : `${measure} ${sensor.depth} cm`;
}
